import { transaction } from '@marketplace/kit/db/db.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trx } from '../db.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { settle, winAuction } from '../testing/sales.ts'
import { tableReads } from '../testing/table-reads.ts'
import { countOpenPayments } from './personal-data.repo.ts'
import { personalData } from './personal-data.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const collect = ({ userId }: TestUser) => transaction(harness.first.ctx.db, (trx) => personalData.collect(trx, userId))

/** Leaves three won auctions unpaid and completes a purchase. */
async function suspendBuyer(): Promise<TestUser> {
  const buyer = randomUser()
  const sales = [await winAuction(harness, buyer), await winAuction(harness, buyer), await winAuction(harness, buyer)]
  for (const sale of sales) await settle(harness.first, sale, 'released', 'unpaid')
  await harness.rows('insert into known_buyers values ($1)', [buyer.userId])
  return buyer
}

/** Inserts 20,000 auctions, bids and unpaid wins of others. */
async function insertOthers(): Promise<void> {
  await harness.rows(`
    create temporary table others as select gen_random_uuid() as id, gen_random_uuid() as user_id from generate_series(1, 20000);
    insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
      select id, user_id, 'A watch', '', 100, 0, clock_timestamp() + interval '1 day' from others;
    insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
      select gen_random_uuid(), id, 1, 200, user_id, 'A***e', clock_timestamp() from others;
    insert into holds (sale_id, listing_id, buyer_id, sale_type, price, due_at, held_at)
      select gen_random_uuid(), id, user_id, 'auction_win', 200, clock_timestamp(), clock_timestamp() from others;
    drop table others`)
  for (const table of ['auctions', 'bids', 'holds']) await harness.rows(`analyze ${table}`)
}

/** Returns the big tables that the work reads from start to end. */
function scannedTables(work: (trx: Trx) => Promise<unknown>): Promise<string[]> {
  return transaction(harness.first.ctx.db, async (trx) => {
    const reads = await tableReads(trx, () => work(trx))
    return ['auctions', 'bids', 'holds'].filter((table) => (reads.get(table)?.scans ?? 0) > 0)
  })
}

const unpaidWin = { saleId: expect.any(String), at: expect.any(String), liftedAt: null }

describe('strikes and suspensions of a person', () => {
  it('are part of the export', async () => {
    expect(await collect(await suspendBuyer())).toMatchObject({
      unpaidWins: [unpaidWin, unpaidWin, unpaidWin],
      suspensions: [{ reason: 'unpaid', since: expect.any(String), until: expect.any(String) }],
      hasCompletedPurchase: true,
    })
    expect(await collect(randomUser())).toMatchObject({ unpaidWins: [], suspensions: [], hasCompletedPurchase: false })
  })

  it('are erased with the account, and those of others stay', async () => {
    const [buyer, other] = [await suspendBuyer(), await suspendBuyer()]
    const erased = await transaction(harness.first.ctx.db, (trx) => personalData.erase(trx, buyer.userId))
    // The five bidder records are three strikes, a suspension and the completed purchase.
    expect(erased).toMatchObject({ bids: 3, bidderRecords: 5 })
    expect(await collect(buyer)).toMatchObject({ unpaidWins: [], suspensions: [], hasCompletedPurchase: false })
    expect(await collect(other)).toMatchObject({ unpaidWins: expect.arrayContaining([expect.anything()]) })
  })

  it('is not erased while the person leads an auction', async () => {
    const buyer = randomUser()
    await harness.bid(await harness.openAuction(), 150, buyer)
    await expect(transaction(harness.first.ctx.db, (trx) => personalData.erase(trx, buyer.userId))).rejects.toThrow()
    expect(await harness.rows('select 1 from first_purchase_leads where user_id = $1', [buyer.userId])).toHaveLength(1)
  })
})

describe('data of a person among 20,000 auctions of others', () => {
  it('is exported, checked, measured for the exposure limit and erased by indexes', async () => {
    await insertOthers()
    const buyer = await suspendBuyer()
    const { userId } = buyer
    const scanned = await scannedTables(async (trx) => {
      await personalData.findOpenPayments(trx, userId)
      await personalData.collect(trx, userId)
      await sql`select first_purchase_exposure(${userId}, ${userId}, 500)`.execute(trx)
      expect(await personalData.erase(trx, userId)).toMatchObject({ bids: 3 })
    })
    expect(scanned).toEqual([])
    expect(await scannedTables((trx) => sql`select count(title) from auctions`.execute(trx))).toEqual(['auctions'])
  })

  it('counts what is unpaid as buyer and as seller', async () => {
    const { userId } = harness.seller
    const before = await transaction(harness.first.ctx.db, (trx) => countOpenPayments(trx, userId))
    const buyer = randomUser()
    await winAuction(harness, buyer)
    const count = (id: string) => transaction(harness.first.ctx.db, (trx) => countOpenPayments(trx, id))
    expect(await count(buyer.userId)).toEqual({ runningAuctions: 0, leadingAuctions: 0, unpaidHolds: 1 })
    expect(await count(userId)).toEqual({ ...before, unpaidHolds: before.unpaidHolds + 1 })
  })
})
