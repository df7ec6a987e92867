import { Code, ConnectError } from '@connectrpc/connect'
import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { waitForBlockedStatements } from '@marketplace/testing/blocked-statements.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../context.ts'
import { CreateListingBody, toDraft } from '../listing/create-listing.body.ts'
import { createListing, prepareListing } from '../listing/create-listing.ts'
import type { Listing } from '../listing/listing.ts'
import { lockQuota } from '../quota/quotas.repo.ts'
import { exceedOpeningDeadline } from '../testing/fakes.ts'
import { createHarness, watch, type Harness } from '../testing/harness.ts'
import { startFullInstance } from '../testing/instances.ts'
import { runRounds } from '../testing/race-rounds.ts'
import { claimAbandonedOpenings } from './auction-openings.repo.ts'
import { dropAbandonedAuctions } from './drop-abandoned-auctions.ts'

let harness: Harness
let ctx: Pick<Context, 'db' | 'auctions' | 'settings'>

beforeAll(async () => {
  // The default quota of a day is less than the number of listings that the tests create.
  harness = await createHarness({ MAX_LISTINGS_PER_DAY: 100_000 })
  const { db, settings, auctions } = harness
  ctx = { db, settings, auctions: rpcClient(AuctionService, auctions.url, testSecret) }
})
afterAll(() => harness.close())
beforeEach(async () => {
  const { before } = harness.auctions
  before.open = async () => undefined
  before.drop = async () => undefined
  await harness.rows('truncate auction_openings')
  harness.auctions.dropped.length = 0
})

/** Opens the auction of a listing and stops there, as if the process had crashed before the listing's commit. */
const openOnly = () => prepareListing(ctx, harness.seller.userId, toDraft(CreateListingBody.parse(watch())))
const store = (listing: Listing) => transaction(harness.db, (trx) => createListing(ctx, trx, listing))
const age = (interval = '61 minutes') =>
  harness.rows('update auction_openings set opened_at = opened_at - $1::interval', [interval])
const sweep = () => dropAbandonedAuctions(ctx)
const openings = async () =>
  (await harness.rows('select listing_id from auction_openings')).map((row) => row['listing_id'])
const isStored = async (id: string | undefined) =>
  (await harness.rows('select from listings where id = $1', [id])).length > 0
const insertOpenings = async (count: number) =>
  (
    await harness.rows(
      `insert into auction_openings (listing_id, opened_at)
       select uuidv7(), now() - interval '2 hours' + n * interval '1 second' from generate_series(1, $1::int) as n
       returning listing_id`,
      [count],
    )
  ).map((row) => String(row['listing_id']))
const lastOpened = () => harness.auctions.opened.at(-1)?.terms?.listingId ?? ''

describe('an auction whose listing was not stored', () => {
  it('is dropped by the running service once it is older than an hour', async () => {
    const { id } = await openOnly()
    expect(harness.auctions.known.has(id)).toBe(true)
    await age()
    const { service } = await startFullInstance(harness.settings)
    try {
      await eventually(async () => (await openings()).length === 0)
    } finally {
      await service.stop()
    }
    expect([harness.auctions.dropped, harness.auctions.known.has(id)]).toEqual([[id], false])
  })

  it('is not dropped before that', async () => {
    const { id } = await openOnly()
    await age('59 minutes')
    expect(await sweep()).toBe(0)
    expect([await openings(), harness.auctions.dropped]).toEqual([[id], []])
    expect((await store(await openOnly())).isActive).toBe(true)
  })

  it('is also dropped when the request exceeded its deadline', async () => {
    const endDelay = exceedOpeningDeadline(harness)
    expect((await harness.postListing(watch())).status).toBe(503)
    endDelay()
    const late = lastOpened()
    await eventually(() => harness.auctions.known.has(late))
    await age()
    expect([await sweep(), harness.auctions.dropped]).toEqual([1, [late]])
  })

  it('leaves nothing behind when its listing is stored', async () => {
    const id = await harness.createAuction()
    expect(await openings()).toEqual([])
    expect([await sweep(), harness.auctions.known.has(id)]).toEqual([0, true])
  })
})

describe('a listing that is stored late', () => {
  it('is stored, and its auction is kept, when its transaction comes before the sweep', async () => {
    const listing = await openOnly()
    await age()
    await transaction(harness.db, async (trx) => {
      await createListing(ctx, trx, listing)
      expect(await sweep()).toBe(0)
    })
    expect([await isStored(listing.id), await sweep(), harness.auctions.dropped]).toEqual([true, 0, []])
  })

  it('is rejected when the sweep has claimed its opening and not committed yet', async () => {
    const listing = await openOnly()
    await age()
    const storing: Promise<unknown>[] = []
    await transaction(harness.db, async (trx) => {
      expect(await claimAbandonedOpenings(trx)).toEqual([listing.id])
      storing.push(store(listing).catch((error: unknown) => error))
      await waitForBlockedStatements(async (text) => (await sql.raw(text).execute(harness.db)).rows)
    })
    expect(await storing[0]).toMatchObject({ kind: 'unavailable' })
    expect(await isStored(listing.id)).toBe(false)
  })

  it('gets 503 when its auction is dropped before its transaction, and a retry with the same key gets 201', async () => {
    const headers = { 'idempotency-key': newId() }
    const body = watch()
    const send = () => harness.call('POST', '/api/listings', { as: harness.seller, body, headers })
    const sending: ReturnType<typeof send>[] = []
    await transaction(harness.db, async (trx) => {
      await lockQuota(trx, 'listings', harness.seller.userId)
      sending.push(send())
      await eventually(async () => harness.auctions.known.has(String((await openings())[0])))
      await age()
      expect(await sweep()).toBe(1)
    })
    const { status, headers: received } = await (sending[0] ?? send())
    expect([status, received['retry-after'], await isStored(lastOpened())]).toEqual([503, '1', false])
    const retried = await send()
    expect([retried.status, await isStored(String(retried.body['id']))]).toEqual([201, true])
    expect(await send()).toMatchObject({ status: 201, body: { id: retried.body['id'] } })
  })

  it('gets 503 when its auction was dropped before OpenAuction arrived', async () => {
    harness.auctions.before.open = async () => {
      await age()
      await sweep()
    }
    expect((await harness.postListing(watch())).status).toBe(503)
    expect(await isStored(lastOpened())).toBe(false)
    harness.auctions.before.open = async () => undefined
    expect((await harness.postListing(watch())).status).toBe(201)
  })

  // This test fails without `claimed_at is null` in `completeOpening`, or if the sweep drops auctions before it claims them.
  it('is either stored or its auction is dropped when both happen at once', async () => {
    await runRounds(async (index) => {
      const listing = await openOnly()
      await age()
      // The sweep begins at different statements of the transaction.
      const sweepLater = async () => {
        for (let statement = 0; statement < index % 6; statement += 1) await harness.rows('select 1')
        return sweep()
      }
      await Promise.allSettled([store(listing), sweepLater()])
      await sweep()
      const isDropped = harness.auctions.dropped.includes(listing.id)
      expect([await isStored(listing.id), await openings()]).toEqual([!isDropped, []])
    })
  })
})

describe('the sweep of abandoned auctions', () => {
  it('drops at most 20 at a time, the oldest first', async () => {
    const ids = await insertOpenings(45)
    expect(await sweep()).toBe(20)
    expect(harness.auctions.dropped.toSorted()).toEqual(ids.slice(0, 20))
    expect([await sweep(), await sweep(), await sweep()]).toEqual([20, 5, 0])
    expect(harness.auctions.dropped.toSorted()).toEqual(ids)
  })

  it('drops each auction once when two instances sweep at the same time', async () => {
    const ids = await insertOpenings(60)
    await Promise.all(Array.from({ length: 6 }, sweep))
    expect(harness.auctions.dropped.toSorted()).toEqual(ids)
  })

  it('retries after 30 seconds when the auction service does not implement DropAuction yet', async () => {
    const [id] = await insertOpenings(1)
    harness.auctions.before.drop = () => Promise.reject(new ConnectError('later', Code.Unimplemented))
    await expect(sweep()).rejects.toThrow('1 of 1 auctions were not dropped')
    harness.auctions.before.drop = async () => undefined
    expect([await sweep(), await openings()]).toEqual([0, [id]])
    await harness.rows(`update auction_openings set claimed_at = claimed_at - interval '31 seconds'`)
    expect([await sweep(), await openings(), harness.auctions.dropped]).toEqual([1, [], [id]])
  })

  it('drops the others when 20 auctions cannot be dropped', async () => {
    const ids = await insertOpenings(25)
    const stuck = new Set(ids.slice(0, 20))
    harness.auctions.before.drop = async (id) => {
      if (stuck.has(id)) throw new ConnectError('broken', Code.Internal)
    }
    await expect(sweep()).rejects.toThrow('20 of 20')
    await harness.rows(`update auction_openings set claimed_at = claimed_at - interval '31 seconds'`)
    await expect(sweep()).rejects.toThrow('15 of 20')
    expect(harness.auctions.dropped.toSorted()).toEqual(ids.slice(20))
    expect((await openings()).length).toBe(20)
  })

  it('drops again what was dropped before its opening could be deleted', async () => {
    const { id } = await openOnly()
    await age()
    const { auctions } = ctx
    await claimAbandonedOpenings(harness.db)
    await auctions.dropAuction({ listingId: id })
    await harness.rows(`update auction_openings set claimed_at = claimed_at - interval '31 seconds'`)
    expect([await sweep(), await openings()]).toEqual([1, []])
  })
})
