import { timestampDate } from '@bufbuild/protobuf/wkt'
import { RefusalKind, SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { winAuction, type SaleRef } from '../testing/sales.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const alice = randomUser('Alice')

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const wonByAlice = (): Promise<SaleRef> => winAuction(harness, alice)

async function hold(listingId: string, buyerId: string, saleType: SaleType = SaleType.AUCTION_WIN) {
  const { answer } = await harness.second.sales.hold({ saleId: newId(), listingId, buyerId, saleType })
  return answer
}

async function readHoldStates(listingId: string): Promise<Record<string, unknown>[]> {
  return harness.rows('select sale_id, state, settled_at is not null as is_settled from holds where listing_id = $1', [
    listingId,
  ])
}

const missing = { case: 'refused', value: expect.objectContaining({ kind: RefusalKind.MISSING }) }

describe('Hold', () => {
  it('returns the same hold to the winner each time and creates none', async () => {
    const { listingId, saleId } = await wonByAlice()
    const result = await hold(listingId, alice.userId)
    expect(result).toMatchObject({
      case: 'held',
      value: {
        saleId,
        saleType: SaleType.AUCTION_WIN,
        terms: { listingId, sellerId: harness.seller.userId, priceCents: 15_000, shippingCents: 450, title: 'A watch' },
      },
    })
    const dueAt = result.case === 'held' && result.value.dueAt ? timestampDate(result.value.dueAt) : undefined
    const [row] = await harness.rows('select due_at from holds where listing_id = $1', [listingId])
    expect(dueAt).toEqual(row?.['due_at'])
    expect(await hold(listingId, alice.userId)).toEqual(result)
    expect(await readHoldStates(listingId)).toHaveLength(1)
  })

  it('is rejected as missing for other users, open auctions and unknown listings', async () => {
    const { listingId } = await wonByAlice()
    const open = await harness.openAuction()
    await harness.bid(open, 150, alice)
    expect(await hold(listingId, newId())).toEqual(missing)
    expect(await hold(listingId, harness.seller.userId)).toEqual(missing)
    expect(await hold(open, alice.userId)).toEqual(missing)
    expect(await hold(newId(), alice.userId)).toEqual(missing)
    expect(await hold('7', alice.userId)).toEqual(missing)
    expect(await readHoldStates(open)).toEqual([])
  })

  it('rejects an unknown sale type', async () => {
    const listingId = await harness.openAuction()
    await expect(hold(listingId, alice.userId, SaleType.UNSPECIFIED)).rejects.toThrow('invalid_argument')
  })
})

describe('Settle', () => {
  const settle = (sale: SaleRef, outcome: SettleOutcome) => harness.first.sales.settle({ ...sale, outcome })

  it('marks a hold sold, and later calls change nothing', async () => {
    const sale = await wonByAlice()
    await Promise.all(Array.from({ length: 10 }, () => settle(sale, SettleOutcome.SOLD)))
    await settle(sale, SettleOutcome.RELEASED)
    expect(await readHoldStates(sale.listingId)).toEqual([{ sale_id: sale.saleId, state: 'sold', is_settled: true }])
    expect(await hold(sale.listingId, alice.userId)).toMatchObject({ case: 'refused', value: { code: 'already_paid' } })
    expect(await hold(sale.listingId, newId())).toEqual(missing)
  })

  it('marks a hold released, and later calls change nothing', async () => {
    const sale = await wonByAlice()
    await settle(sale, SettleOutcome.RELEASED)
    await settle(sale, SettleOutcome.SOLD)
    expect(await readHoldStates(sale.listingId)).toEqual([
      { sale_id: sale.saleId, state: 'released', is_settled: true },
    ])
    expect(await hold(sale.listingId, alice.userId)).toEqual(missing)
  })

  it('accepts the release of an unknown sale and rejects an unknown outcome', async () => {
    await settle({ listingId: newId(), saleId: newId() }, SettleOutcome.RELEASED)
    await expect(settle({ listingId: newId(), saleId: newId() }, SettleOutcome.UNSPECIFIED)).rejects.toThrow(
      'invalid_argument',
    )
  })
})
