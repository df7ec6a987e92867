import { PaymentSucceededSchema } from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import { Owner } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { publishSettlement, settle, winAuction, type SaleRef } from '../testing/sales.ts'
import { startUpstreamEvents, type UpstreamEvents } from '../testing/upstream-events.ts'
import { liftStrike } from './strikes.ts'

let harness: Harness
let upstream: UpstreamEvents

beforeAll(async () => {
  harness = await createHarness()
  upstream = await startUpstreamEvents(harness)
})
afterAll(async () => {
  await upstream.close()
  await harness.close()
})

const strikesOf = ({ userId }: TestUser) =>
  harness.rows('select sale_id, lifted_at from strikes where user_id = $1 order by struck_at', [userId])

/** Wins auctions, then leaves all of them unpaid. */
async function leaveUnpaid(winner: TestUser, count: number): Promise<string[]> {
  const sales: SaleRef[] = []
  for (let index = 0; index < count; index += 1) sales.push(await winAuction(harness, winner))
  for (const sale of sales) await settle(harness.first, sale, 'released', 'unpaid')
  return sales.map(({ saleId }) => saleId)
}

const bidStatus = async (bidder: TestUser) => (await harness.bid(await harness.openAuction(), 150, bidder)).status

describe('a won auction that is not paid', () => {
  it('BID-13 is one strike, whether payments calls, publishes or does both, repeatedly', async () => {
    const winner = randomUser()
    const [called, published] = [await winAuction(harness, winner), await winAuction(harness, winner)]
    await settle(harness.first, called, 'released', 'unpaid')
    await settle(harness.first, called, 'released', 'unpaid')
    await publishSettlement(upstream, called, 'released', 'unpaid')
    await publishSettlement(upstream, published, 'released', 'unpaid')
    await eventually(async () => (await strikesOf(winner)).length === 2)
    expect((await strikesOf(winner)).map((strike) => strike['sale_id'])).toEqual([called.saleId, published.saleId])
    expect(await bidStatus(winner)).toBe(201)
  })

  it.each(['not_chargeable', 'cancelled', 'refused', ''])(
    'BID-13 is no strike when it was released as "%s"',
    async (reason) => {
      const winner = randomUser()
      await settle(harness.first, await winAuction(harness, winner), 'released', reason)
      expect(await strikesOf(winner)).toEqual([])
    },
  )

  it('BID-13 is no strike once it was paid', async () => {
    const winner = randomUser()
    const sale = await winAuction(harness, winner)
    await settle(harness.first, sale, 'sold')
    await settle(harness.first, sale, 'released', 'unpaid')
    expect(await strikesOf(winner)).toEqual([])
  })

  it('BID-13 suspends bidding for 30 days as the third within 90 days', async () => {
    const winner = randomUser()
    await leaveUnpaid(winner, 2)
    expect(await bidStatus(winner)).toBe(201)
    await leaveUnpaid(winner, 1)
    expect(await bidStatus(winner)).toBe(403)
    const [bar] = await harness.rows(
      `select reason, round(extract(epoch from until - now()) / 86400)::int as days from bars where bidder_id = $1`,
      [winner.userId],
    )
    expect(bar).toEqual({ reason: 'unpaid', days: 30 })
  })

  it('BID-13 does not suspend when the first of three is 90 days old', async () => {
    const winner = randomUser()
    const [first] = await leaveUnpaid(winner, 2)
    await harness.rows(`update strikes set struck_at = now() - interval '90 days' where sale_id = $1`, [first])
    await leaveUnpaid(winner, 1)
    expect(await bidStatus(winner)).toBe(201)
  })

  it('BID-13 suspends when three are released at the same time by both instances', async () => {
    const winner = randomUser()
    const sales = [
      await winAuction(harness, winner),
      await winAuction(harness, winner),
      await winAuction(harness, winner),
    ]
    await Promise.all(
      sales.map((sale, index) => settle(index % 2 === 0 ? harness.first : harness.second, sale, 'released', 'unpaid')),
    )
    expect(await strikesOf(winner)).toHaveLength(3)
    expect(await bidStatus(winner)).toBe(403)
  })
})

describe('lifting a strike', () => {
  const lift = (saleId: string) =>
    liftStrike(harness.first.ctx.db, { saleId, reason: 'The seller asked not to pay.' }, harness.settings)

  it('BID-13 ends the suspension when fewer than three remain, once, and records the action', async () => {
    const action = { staff_id: null, action: 'lift-strike', reason: 'The seller asked not to pay.' }
    const winner = randomUser()
    const [first = '', second = ''] = await leaveUnpaid(winner, 4)
    expect(await lift(first)).toBe('lifted')
    expect(await bidStatus(winner)).toBe(403)
    expect(await lift(first)).toBe('lifted_before')
    expect(await bidStatus(winner)).toBe(403)
    expect(await lift(second)).toBe('lifted')
    expect(await bidStatus(winner)).toBe(201)
    expect(
      await harness.rows('select staff_id, action, reason from staff_actions where subject = any($1)', [
        [first, second],
      ]),
    ).toEqual([action, action])
  })

  it('BID-13 reports a sale without a strike and changes nothing', async () => {
    const saleId = newId()
    expect(await lift(saleId)).toBe('missing')
    expect(await harness.rows('select 1 from staff_actions where subject = $1', [saleId])).toEqual([])
  })
})

describe('a completed purchase', () => {
  it.each([Owner.AUCTION, Owner.CATALOG])('BID-12 ends the exposure limit (inventory service %i)', async (owner) => {
    const buyer = randomUser()
    const listingId = await harness.openAuction()
    expect((await harness.bid(listingId, 6000, buyer)).body).toMatchObject({ code: 'exposure_limit' })
    const sale = { saleId: newId(), listingId: newId(), buyerId: buyer.userId, owner }
    await upstream.publish(topics.payments, PaymentSucceededSchema, sale)
    await eventually(async () => (await harness.bid(listingId, 6000, buyer)).status === 201)
  })
})
