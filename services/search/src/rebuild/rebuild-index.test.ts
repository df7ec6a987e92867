import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@marketplace/kit/values/ids.ts'
import { unavailable } from '@marketplace/kit/errors/problem.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auctionEndingIn, makeListing } from '../testing/listings.ts'
import { startFakeSources, type FakeSources } from '../testing/fake-sources.ts'
import { shuffled } from '../testing/shuffled.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { rebuildIndex } from './rebuild-index.ts'

let harness: Harness
let sources: FakeSources

beforeAll(async () => {
  harness = await createHarness()
})
beforeEach(async () => {
  await harness.query('truncate listings, bids, views, listing_words, vocabulary')
  sources = await startFakeSources()
  return () => sources.stop()
})
afterAll(() => harness.close())

// Returns the index contents that are expected for the data of the fake services.
function expected() {
  const listings = [...sources.listings.values()].map((listing) => ({
    id: listing.id,
    version: Number(listing.version),
    title: listing.title,
    is_active: listing.isActive,
    current_bid_cents: sources.bids.get(listing.id)?.currentBidCents ?? null,
    views: listing.viewCount,
    words: listing.isActive,
  }))
  return listings.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

async function indexed() {
  const orphans = await harness.query(`
    select listing_id from listing_words where listing_id not in (select id from listings)
    union all select listing_id from bids where listing_id not in (select id from listings)
    union all select listing_id from views where listing_id not in (select id from listings)`)
  expect(orphans).toEqual([])
  return harness.query(`
    select id, version, title, is_active, current_bid_cents, greatest(listings.view_count, views.view_count) as views,
      coalesce(words = setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'C')
        || array_to_tsvector(array[
            ' category ' || listings.category_slug, ' condition ' || listings.condition,
            case when is_auction then ' format auction' else ' format fixed' end
          ] || case when shipping_cents = 0 then array[' shipping free'] else '{}' end || place_words(location)), false) as words
    from listings left join views on views.listing_id = id left join listing_words on listing_words.listing_id = id
    order by id`)
}

async function createListings(): Promise<{ auctions: string[]; fixed: string[] }> {
  const auctions: string[] = []
  const fixed: string[] = []
  for (let index = 0; index < 130; index++) {
    const { id } = sources.createListing({
      ...(index % 2 && auctionEndingIn(600)),
      isActive: index % 10 !== 9,
      viewCount: index,
    })
    ;(index % 2 ? auctions : fixed).push(id)
    if (index % 4 === 1) sources.placeBid(id, 5000 + index)
  }
  return { auctions, fixed }
}

describe('the rebuild', () => {
  it('fills an empty index', async () => {
    await createListings()
    expect(await rebuildIndex(harness.db, sources)).toEqual({ synced: 130, deleted: 0 })
    expect(await indexed()).toEqual(expected())
    expect((await harness.browse({ search: 'lamp', limit: '100' })).total).toBe('117')
  })

  it('repairs every wrong row, and changes nothing when run again', async () => {
    await createListings()
    await rebuildIndex(harness.db, sources)
    await harness.query(`update listings set title = 'wrong' where version = 1 and view_count % 7 = 0`)
    await harness.query('update listings set version = 99, is_active = not is_active where view_count % 7 = 1')
    await harness.query('update bids set number = 99, amount_cents = 1')
    await harness.query('update listings set current_bid_cents = 1 where view_count % 7 = 2')
    await harness.query('delete from listings where view_count % 7 = 3')
    await harness.query('delete from listing_words where random() < 0.5')
    await harness.query('insert into views select id, 1000 from listings')
    await harness.query(`insert into listing_words values (gen_random_uuid(), to_tsvector('stray'))`)
    for (let index = 0; index < 3; index++) await harness.createListing()
    await harness.placeBid(newId(), 7700)
    expect(await rebuildIndex(harness.db, sources)).toEqual({ synced: 130, deleted: 3 })
    expect(await indexed()).toEqual(expected())
    expect(await rebuildIndex(harness.db, sources)).toEqual({ synced: 130, deleted: 0 })
    expect(await indexed()).toEqual(expected())
  })

  it('runs as a command', async () => {
    await createListings()
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, '../rebuild.command.ts')],
      {
        env: {
          DATABASE_URL: harness.database.url,
          INTERNAL_SECRET: harness.settings.INTERNAL_SECRET,
          CATALOG_INTERNAL_URL: sources.catalogUrl,
          AUCTION_INTERNAL_URL: sources.auctionsUrl,
        },
      },
    )
    expect(JSON.parse(stdout)).toMatchObject({ synced: 130, deleted: 0 })
    expect(await indexed()).toEqual(expected())
  })

  it('deletes everything when the sources are empty', async () => {
    await harness.createListing()
    expect(await rebuildIndex(harness.db, sources)).toEqual({ synced: 0, deleted: 1 })
    expect(await indexed()).toEqual([])
  })

  it('retries an unavailable source, and deletes nothing if it stays unavailable', async () => {
    await createListings()
    const old = await harness.createListing()
    let calls = 0
    sources.before.auctions = async () => {
      if (++calls <= 2) throw unavailable('The auction service')
    }
    expect(await rebuildIndex(harness.db, sources)).toEqual({ synced: 130, deleted: 1 })
    await harness.changeListing({ ...makeListing(), id: old })
    sources.before.listings = async () => {
      throw new Error('a bug')
    }
    await expect(rebuildIndex(harness.db, { ...sources, retryTimeoutMs: 200 })).rejects.toThrow(/catalog/)
    expect(await harness.query('select 1 from listings where id = $1', [old])).toHaveLength(1)
  })

  // Fails without `listings.version <= excluded.version` in upsertListings and without `stored.number <= excluded.number` in upsertBids.
  it('ends equal to its sources while bids, views, changes and new listings arrive late and out of order', async () => {
    const { auctions, fixed } = await createListings()
    await rebuildIndex(harness.db, sources)
    await harness.query(`update listings set title = 'wrong', version = 50, current_bid_cents = 1`)
    await harness.query('update bids set number = 50, amount_cents = 1 where number > 0')
    // Delays responses, so that they are outdated when they arrive.
    sources.before.listings = () => sleep(Math.random() * 30)
    sources.before.auctions = () => sleep(Math.random() * 30)
    const done = new AbortController()
    let events = 0
    async function changeUntilDone(seed: number): Promise<void> {
      for (let round = seed; !done.signal.aborted; round += 6) {
        for (const applyEvent of shuffled(changeSources(round, auctions, fixed))) {
          await sleep(Math.random() * 20)
          await applyEvent()
          events += 1
        }
      }
    }
    async function browseUntilDone(): Promise<void> {
      while (!done.signal.aborted) {
        expect((await harness.browse({ limit: '10' })).ids).toHaveLength(10)
        await sleep(20)
      }
    }

    const load = [browseUntilDone(), ...[0, 1, 2, 3, 4, 5].map(changeUntilDone)]
    const hasEnoughEvents = () => events > 100
    for (let run = 0; run < 3 || !hasEnoughEvents(); run++) await rebuildIndex(harness.db, sources)
    done.abort()
    await Promise.all(load)
    expect(await indexed()).toEqual(expected())
  })
})

/**
 * Changes the data of the fake services immediately. Returns functions that apply the resulting events to the index.
 */
function changeSources(round: number, auctions: readonly string[], fixed: readonly string[]): (() => Promise<void>)[] {
  const auction = auctions[(round * 7) % auctions.length] ?? ''
  const listing = (round % 2 ? auctions : fixed)[(round * 3) % 60] ?? ''
  const { number } = sources.placeBid(auction, 10_000 + round)
  const changed = sources.changeListing(listing, { title: `A lamp of round ${round}`, isActive: round % 5 !== 0 })
  const { viewCount } = sources.addView(auction)
  // A new listing may have an id that is lower than the ids that the rebuild has already read.
  const id = `${listing.slice(0, -1)}${round % 10}`
  const fresh = sources.listings.has(id) ? [] : [sources.createListing({ id })]
  return [
    () => harness.placeBid(auction, 10_000 + round, Number(number)),
    () => harness.changeListing(changed),
    () => harness.setViewCount(auction, viewCount),
    ...fresh.map((created) => async () => void (await harness.createListing(created))),
  ]
}
