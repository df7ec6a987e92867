import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@marketplace/kit/ids.ts'
import { unavailable } from '@marketplace/kit/problem.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { auctionEndingIn, makeListing } from '../testing/listings.ts'
import { startFakeSources, type FakeSources } from '../testing/sources.ts'
import { shuffled } from '../testing/shuffled.ts'
import { setStage, type Stage } from '../testing/stage.ts'
import { rebuildIndex } from './rebuild-index.ts'

let stage: Stage
let sources: FakeSources

beforeAll(async () => {
  stage = await setStage()
})
beforeEach(async () => {
  await stage.rows('truncate listings, bids, views, listing_words, vocabulary')
  sources = await startFakeSources()
  return () => sources.stop()
})
afterAll(() => stage.close())

// What the sources say, as far as somebody can see it.
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

async function projected() {
  const strays = await stage.rows(`
    select listing_id from listing_words where listing_id not in (select id from listings)
    union all select listing_id from bids where listing_id not in (select id from listings)
    union all select listing_id from views where listing_id not in (select id from listings)`)
  expect(strays).toEqual([])
  return stage.rows(`
    select id, version, title, is_active, current_bid_cents, greatest(listings.view_count, views.view_count) as views,
      coalesce(words = setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'C')
        || array_to_tsvector(array[' category ' || category_slug, ' condition ' || condition]), false) as words
    from listings left join views on views.listing_id = id left join listing_words on listing_words.listing_id = id
    order by id`)
}

async function listSome(): Promise<{ auctions: string[]; fixed: string[] }> {
  const auctions: string[] = []
  const fixed: string[] = []
  for (let index = 0; index < 130; index++) {
    const { id } = sources.list({
      ...(index % 2 && auctionEndingIn(600)),
      isActive: index % 10 !== 9,
      viewCount: index,
    })
    ;(index % 2 ? auctions : fixed).push(id)
    if (index % 4 === 1) sources.bid(id, 5000 + index)
  }
  return { auctions, fixed }
}

describe('the rebuild', () => {
  it('fills an empty index', async () => {
    await listSome()
    expect(await rebuildIndex(stage.db, sources)).toEqual({ told: 130, dropped: 0 })
    expect(await projected()).toEqual(expected())
    expect((await stage.browse({ search: 'lamp', limit: '100' })).total).toBe('117')
  })

  it('puts right whatever is wrong, and changes nothing when run again', async () => {
    await listSome()
    await rebuildIndex(stage.db, sources)
    await stage.rows(`update listings set title = 'wrong' where version = 1 and view_count % 7 = 0`)
    await stage.rows('update listings set version = 99, is_active = not is_active where view_count % 7 = 1')
    await stage.rows('update bids set number = 99, amount_cents = 1')
    await stage.rows('update listings set current_bid_cents = 1 where view_count % 7 = 2')
    await stage.rows('delete from listings where view_count % 7 = 3')
    await stage.rows('delete from listing_words where random() < 0.5')
    await stage.rows('insert into views select id, 1000 from listings')
    await stage.rows(`insert into listing_words values (gen_random_uuid(), to_tsvector('stray'))`)
    for (let index = 0; index < 3; index++) await stage.list()
    await stage.bid(newId(), 7700)
    expect(await rebuildIndex(stage.db, sources)).toEqual({ told: 130, dropped: 3 })
    expect(await projected()).toEqual(expected())
    expect(await rebuildIndex(stage.db, sources)).toEqual({ told: 130, dropped: 0 })
    expect(await projected()).toEqual(expected())
  })

  it('is a command of its own', async () => {
    await listSome()
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, '../rebuild.command.ts')],
      {
        env: {
          DATABASE_URL: stage.database.url,
          INTERNAL_SECRET: stage.settings.INTERNAL_SECRET,
          CATALOG_INTERNAL_URL: sources.catalogUrl,
          AUCTION_INTERNAL_URL: sources.auctionsUrl,
        },
      },
    )
    expect(JSON.parse(stdout)).toMatchObject({ told: 130, dropped: 0 })
    expect(await projected()).toEqual(expected())
  })

  it('drops everything when nothing is there', async () => {
    await stage.list()
    expect(await rebuildIndex(stage.db, sources)).toEqual({ told: 0, dropped: 1 })
    expect(await projected()).toEqual([])
  })

  it('waits for a source that does not answer, and drops nothing when it never does', async () => {
    await listSome()
    const old = await stage.list()
    let calls = 0
    sources.before.auctions = async () => {
      if (++calls <= 2) throw unavailable('The auction service')
    }
    expect(await rebuildIndex(stage.db, sources)).toEqual({ told: 130, dropped: 1 })
    await stage.change({ ...makeListing(), id: old })
    sources.before.listings = async () => {
      throw new Error('a bug')
    }
    await expect(rebuildIndex(stage.db, { ...sources, patienceMs: 200 })).rejects.toThrow(/catalog/)
    expect(await stage.rows('select 1 from listings where id = $1', [old])).toHaveLength(1)
  })

  // Was red without keepListing's line `is('listings.version', '<=', …` and without keepBid's `is('bids.number', '<=', …`.
  it('ends equal to its sources while bids, views, changes and new listings come, late and out of order', async () => {
    const { auctions, fixed } = await listSome()
    await rebuildIndex(stage.db, sources)
    await stage.rows(`update listings set title = 'wrong', version = 50, current_bid_cents = 1`)
    await stage.rows('update bids set number = 50, amount_cents = 1 where number > 0')
    // What is read is old when it is answered.
    sources.before.listings = () => sleep(Math.random() * 30)
    sources.before.auctions = () => sleep(Math.random() * 30)
    const done = new AbortController()
    let events = 0
    async function changeUntilDone(seed: number): Promise<void> {
      for (let round = seed; !done.signal.aborted; round += 6) {
        for (const tell of shuffled(change(round, auctions, fixed))) {
          await sleep(Math.random() * 20)
          await tell()
          events += 1
        }
      }
    }
    async function browseUntilDone(): Promise<void> {
      while (!done.signal.aborted) {
        expect((await stage.browse({ limit: '10' })).ids).toHaveLength(10)
        await sleep(20)
      }
    }

    const busy = [browseUntilDone(), ...[0, 1, 2, 3, 4, 5].map(changeUntilDone)]
    for (let run = 0; run < 3; run++) await rebuildIndex(stage.db, sources)
    done.abort()
    await Promise.all(busy)
    expect(events).toBeGreaterThan(100)
    expect(await projected()).toEqual(expected())
  })
})

/** Changes the sources at once; answers the events that tell of it. */
function change(round: number, auctions: readonly string[], fixed: readonly string[]): (() => Promise<void>)[] {
  const auction = auctions[(round * 7) % auctions.length] ?? ''
  const listing = (round % 2 ? auctions : fixed)[(round * 3) % 60] ?? ''
  const { number } = sources.bid(auction, 10_000 + round)
  const changed = sources.change(listing, { title: `A lamp of round ${round}`, isActive: round % 5 !== 0 })
  const { viewCount } = sources.view(auction)
  // Ids that may lie behind the page which is read just now.
  const id = `${listing.slice(0, -1)}${round % 10}`
  const fresh = sources.listings.has(id) ? [] : [sources.list({ id })]
  return [
    () => stage.bid(auction, 10_000 + round, Number(number)),
    () => stage.change(changed),
    () => stage.view(auction, viewCount),
    ...fresh.map((created) => async () => void (await stage.list(created))),
  ]
}
