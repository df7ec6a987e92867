import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { readHolds } from '../testing/auction-assertions.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { buyNow, winAuction, type SaleRef } from '../testing/sales.ts'
import { settleSales, type SettleResult } from './settle-sales.ts'
import type { SettleRequest } from './settlement.ts'

const alice = randomUser('Alice')
const bob = randomUser('Bob')

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const settleAll = (requests: readonly SettleRequest[]): Promise<SettleResult> =>
  transaction(harness.first.ctx.db, (trx) => settleSales(trx, requests, harness.settings))

const sold = (sale: SaleRef): SettleRequest => ({ ...sale, outcome: 'sold', reason: '' })
const released = (sale: SaleRef, reason = 'cancelled'): SettleRequest => ({ ...sale, outcome: 'released', reason })

async function checkout(bidCents?: number): Promise<SaleRef> {
  const sale = { listingId: await harness.openAuction({ buyItNowCents: 50_000 }), saleId: newId() }
  expect(await buyNow(harness.first, bob, sale)).toEqual({ held: sale.saleId })
  if (bidCents === undefined) return sale
  await harness.bid(sale.listingId, bidCents, alice)
  await harness.setEndIn(sale.listingId, -1)
  expect(await closeDueAuctions(harness.first.ctx)).toBe(1)
  return sale
}

const statesOf = async (sales: readonly SaleRef[]) =>
  Promise.all(sales.map(async ({ listingId }) => (await readHolds(harness, listingId)).map((hold) => hold['state'])))

const auctionOf = async ({ listingId }: SaleRef) =>
  (await harness.rows('select state, outcome from auctions where listing_id = $1', [listingId]))[0]

const accepted = ({ settlements }: SettleResult) => settlements.map(({ isAccepted }) => isAccepted)

describe('settling several sales together', () => {
  it('has the effect of settling one after the other, and the first outcome of a sale stays', async () => {
    const [win, bought, released1, settling] = [
      await winAuction(harness, alice),
      await checkout(),
      await winAuction(harness, alice),
      await checkout(150),
    ]
    const unknown = { listingId: win.listingId, saleId: newId() }
    const missing = { listingId: newId(), saleId: newId() }
    const otherListing = { listingId: bought.listingId, saleId: win.saleId }
    const requests = [
      sold(otherListing),
      sold(win),
      released(win),
      sold(win),
      sold(bought),
      released(released1),
      sold(released1),
      released(settling),
      released(unknown),
      sold(unknown),
      sold(missing),
      released(missing),
    ]
    const result = await settleAll(requests)
    expect(accepted(result)).toEqual([false, true, true, true, true, true, false, true, true, false, false, true])
    expect(await statesOf([win, bought, released1])).toEqual([['sold'], ['sold'], ['released']])
    expect(await auctionOf(bought)).toEqual({ state: 'closed', outcome: 'buy_now' })
    expect(await auctionOf(settling)).toEqual({ state: 'closed', outcome: 'won' })
    expect(result.closings.map(({ outcome }) => outcome)).toEqual(['buy_now', 'won'])
    const tombstones = 'select 1 from released_sales where sale_id = any($1)'
    expect(await harness.rows(tombstones, [[unknown.saleId, missing.saleId]])).toHaveLength(2)
    expect(accepted(await settleAll(requests))).toEqual(accepted(result))
  })

  it('BID-13 suspends a person whose third unpaid win is among them, and nobody with two', async () => {
    const [three, two] = [randomUser(), randomUser()]
    const wins = (winner: TestUser, count: number) =>
      Promise.all(Array.from({ length: count }, () => winAuction(harness, winner)))
    const unpaid = [...(await wins(three, 3)), ...(await wins(two, 2))].map((sale) => released(sale, 'unpaid'))
    await settleAll([...unpaid, ...unpaid.slice(0, 2)])
    const strikes = `select user_id, count(*)::int as count from strikes where user_id = any($1) group by 1 order by 2`
    expect(await harness.rows(strikes, [[three.userId, two.userId]])).toEqual([
      { user_id: two.userId, count: 2 },
      { user_id: three.userId, count: 3 },
    ])
    const listingId = await harness.openAuction()
    expect(await harness.bid(listingId, 150, three)).toMatchObject({ status: 403, body: { code: 'bidding_suspended' } })
    expect(await harness.bid(listingId, 150, two)).toMatchObject({ status: 201 })
  })

  it('needs as many statements for 100 sales as for one', async () => {
    const sales = await Promise.all(Array.from({ length: 101 }, () => winAuction(harness, randomUser())))
    const statementsFor = async (some: readonly SaleRef[]) => {
      let count = 0
      const counter: KyselyPlugin = {
        transformQuery({ node }) {
          count += 1
          return node
        },
        transformResult: async ({ result }) => result,
      }
      await transaction(harness.first.ctx.db, (trx) =>
        settleSales(trx.withPlugin(counter), some.map(sold), harness.settings),
      )
      return count
    }
    expect(await statementsFor(sales.slice(1))).toBe(await statementsFor(sales.slice(0, 1)))
  })

  it('BID-13 settles each sale once if batches of the same sales race', async () => {
    const sales = await Promise.all(Array.from({ length: 40 }, () => winAuction(harness, randomUser())))
    const unpaid = sales.map((sale) => released(sale, 'unpaid'))
    const races = Array.from({ length: 8 }, (_, n) => settleAll(n % 2 === 0 ? unpaid : unpaid.toReversed()))
    expect((await Promise.all(races)).flatMap(accepted)).not.toContain(false)
    expect((await statesOf(sales)).flat()).toEqual(sales.map(() => 'released'))
    const saleIds = sales.map(({ saleId }) => saleId)
    expect(await harness.rows('select 1 from strikes where sale_id = any($1)', [saleIds])).toHaveLength(40)
  })
})
