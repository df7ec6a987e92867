import { transaction } from '@marketplace/kit/db/db.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { settle, winAuction } from '../testing/sales.ts'
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
