import { timestampDate } from '@bufbuild/protobuf/wkt'
import { RefusalKind, SaleType, SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { win, type SoldTo } from '../testing/buying.ts'
import { setStage, type Stage } from '../testing/stage.ts'

const alice = someone('Alice')

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

const wonByAlice = (): Promise<SoldTo> => win(stage, alice)

async function hold(listingId: string, buyerId: string, saleType: SaleType = SaleType.AUCTION_WIN) {
  const { answer } = await stage.second.sales.hold({ saleId: newId(), listingId, buyerId, saleType })
  return answer
}

async function holdsOf(listingId: string): Promise<Record<string, unknown>[]> {
  return stage.rows('select sale_id, state, settled_at is not null as is_settled from holds where listing_id = $1', [
    listingId,
  ])
}

const missing = { case: 'refused', value: expect.objectContaining({ kind: RefusalKind.MISSING }) }

describe('Hold', () => {
  it('answers the win to the winner, again and again, and creates none', async () => {
    const { listingId, saleId } = await wonByAlice()
    const answer = await hold(listingId, alice.userId)
    expect(answer).toMatchObject({
      case: 'held',
      value: {
        saleId,
        saleType: SaleType.AUCTION_WIN,
        terms: { listingId, sellerId: stage.seller.userId, priceCents: 15_000, shippingCents: 450, title: 'A watch' },
      },
    })
    const dueAt = answer.case === 'held' && answer.value.dueAt ? timestampDate(answer.value.dueAt) : undefined
    const [row] = await stage.rows('select due_at from holds where listing_id = $1', [listingId])
    expect(dueAt).toEqual(row?.['due_at'])
    expect(await hold(listingId, alice.userId)).toEqual(answer)
    expect(await holdsOf(listingId)).toHaveLength(1)
  })

  it('is missing to all others, for open auctions and for what is no auction', async () => {
    const { listingId } = await wonByAlice()
    const open = await stage.openAuction()
    await stage.bid(open, 150, alice)
    expect(await hold(listingId, newId())).toEqual(missing)
    expect(await hold(listingId, stage.seller.userId)).toEqual(missing)
    expect(await hold(open, alice.userId)).toEqual(missing)
    expect(await hold(newId(), alice.userId)).toEqual(missing)
    expect(await hold('7', alice.userId)).toEqual(missing)
    expect(await holdsOf(open)).toEqual([])
  })

  it('refuses a type of sale that it does not know', async () => {
    const listingId = await stage.openAuction()
    await expect(hold(listingId, alice.userId, SaleType.UNSPECIFIED)).rejects.toThrow('invalid_argument')
  })
})

describe('Settle', () => {
  const settle = (sale: SoldTo, outcome: SettleOutcome) => stage.first.sales.settle({ ...sale, outcome })

  it('marks the win sold, once and for all', async () => {
    const sale = await wonByAlice()
    await Promise.all(Array.from({ length: 10 }, () => settle(sale, SettleOutcome.SOLD)))
    await settle(sale, SettleOutcome.RELEASED)
    expect(await holdsOf(sale.listingId)).toEqual([{ sale_id: sale.saleId, state: 'sold', is_settled: true }])
    expect(await hold(sale.listingId, alice.userId)).toMatchObject({ case: 'refused', value: { code: 'already_paid' } })
    expect(await hold(sale.listingId, newId())).toEqual(missing)
  })

  it('marks the win released, once and for all', async () => {
    const sale = await wonByAlice()
    await settle(sale, SettleOutcome.RELEASED)
    await settle(sale, SettleOutcome.SOLD)
    expect(await holdsOf(sale.listingId)).toEqual([{ sale_id: sale.saleId, state: 'released', is_settled: true }])
    expect(await hold(sale.listingId, alice.userId)).toEqual(missing)
  })

  it('changes nothing for a sale without a hold here', async () => {
    await settle({ listingId: newId(), saleId: newId() }, SettleOutcome.RELEASED)
    await expect(settle({ listingId: newId(), saleId: newId() }, SettleOutcome.UNSPECIFIED)).rejects.toThrow(
      'invalid_argument',
    )
  })
})
