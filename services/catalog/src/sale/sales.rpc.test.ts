import {
  PaymentSucceededSchema,
  SaleReleasedSchema,
} from '@marketplace/contracts/gen/marketplace/payments/v1/payments_pb.ts'
import {
  Owner,
  RefusalKind,
  SaleType,
  SettleOutcome,
} from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

interface Ask {
  saleId: string
  listingId: string
  buyerId: string
}

async function hold(ask: Ask, saleType: SaleType = SaleType.BUY_NOW) {
  return (await stage.sales.hold({ ...ask, saleType })).answer
}

async function askFor(listingId?: string): Promise<Ask> {
  return { saleId: newId(), listingId: listingId ?? (await stage.list()), buyerId: newId() }
}

function settle({ saleId, listingId }: Ask, outcome: SettleOutcome) {
  return stage.sales.settle({ saleId, listingId, outcome })
}

function paid({ saleId, listingId }: Ask, owner: Owner = Owner.CATALOG) {
  return stage.deliver(PaymentSucceededSchema, { saleId, listingId, owner })
}

function released({ saleId, listingId }: Ask, owner: Owner = Owner.CATALOG) {
  return stage.deliver(SaleReleasedSchema, { saleId, listingId, owner, reason: 'expired' })
}

async function stateOf({ saleId, listingId }: Ask) {
  const [row] = await stage.rows(
    `select (select state from holds where sale_id = $1) as hold, is_active, version,
       (select count(*)::int from outbox where key = listings.id::text) as events
     from listings where id = $2`,
    [saleId, listingId],
  )
  return row
}

const refused = (kind: RefusalKind, code: string) => ({
  case: 'refused',
  value: expect.objectContaining({ kind, code, message: expect.stringMatching(/\.$/) }),
})

describe('Hold', () => {
  it('gives the item at frozen terms, and the same sale the same answer', async () => {
    const listingId = await stage.list({ shipping_cost: 4.5, image_urls: ['https://a.example/1.jpg'] })
    const ask = await askFor(listingId)
    const first = await hold(ask)
    expect(first).toMatchObject({
      case: 'held',
      value: {
        saleId: ask.saleId,
        saleType: SaleType.BUY_NOW,
        terms: {
          listingId,
          sellerId: stage.seller.userId,
          priceCents: 2499,
          shippingCents: 450,
          title: 'A brass lamp',
          imageUrl: 'https://a.example/1.jpg',
        },
      },
    })
    await stage.rows('update listings set price_cents = 9900 where id = $1', [listingId])
    expect(await hold(ask)).toEqual(first)
    expect(await stateOf(ask)).toEqual({ hold: 'held', is_active: true, version: 1, events: 1 })
  })

  it('PAY-12 is refused to the seller', async () => {
    expect(await hold({ ...(await askFor()), buyerId: stage.seller.userId })).toEqual(
      refused(RefusalKind.FORBIDDEN, 'own_listing'),
    )
  })

  it('is refused on nothing', async () => {
    expect(await hold(await askFor(newId()))).toEqual(refused(RefusalKind.MISSING, 'not_found'))
    expect(await hold(await askFor('x'))).toEqual(refused(RefusalKind.MISSING, 'not_found'))
  })

  it('is refused on an auction', async () => {
    expect(await hold(await askFor(await stage.auction()))).toEqual(refused(RefusalKind.CONFLICT, 'wrong_kind'))
  })

  it('PAY-12 is refused on an inactive and on a sold listing', async () => {
    const inactive = await askFor()
    await stage.rows('update listings set is_active = false where id = $1', [inactive.listingId])
    expect(await hold(inactive)).toEqual(refused(RefusalKind.CONFLICT, 'inactive'))
    const sold = await askFor()
    await hold(sold)
    await settle(sold, SettleOutcome.SOLD)
    expect(await hold({ ...sold, saleId: newId() })).toEqual(refused(RefusalKind.CONFLICT, 'sold'))
    expect(await hold(await askFor(sold.listingId))).toEqual(refused(RefusalKind.CONFLICT, 'sold'))
  })

  it('is reserved for others, while its buyer goes on with the sale that has it', async () => {
    const ask = await askFor()
    await hold(ask)
    expect(await hold(await askFor(ask.listingId))).toEqual(refused(RefusalKind.CONFLICT, 'reserved'))
    expect(await hold({ ...ask, saleId: newId() })).toMatchObject({ case: 'held', value: { saleId: ask.saleId } })
  })

  it('makes none for a sale that its own event makes', async () => {
    for (const type of [SaleType.OFFER_ACCEPTED, SaleType.AUCTION_WIN]) {
      expect(await hold(await askFor(), type)).toEqual(refused(RefusalKind.MISSING, 'not_found'))
    }
  })

  it('PAY-13 goes to one of 50 buyers who ask at once', async () => {
    const listingId = await stage.list()
    const asks = await Promise.all(Array.from({ length: 50 }, () => askFor(listingId)))
    const answers = await Promise.all(asks.map((ask) => hold(ask)))
    expect(answers.filter((answer) => answer.case === 'held')).toHaveLength(1)
    expect(answers.filter((answer) => answer.case === 'refused' && answer.value.code === 'reserved')).toHaveLength(49)
    expect(await stage.rows('select 1 from holds where listing_id = $1', [listingId])).toHaveLength(1)
  })

  it('answers one sale that asks 20 times at once with one hold', async () => {
    const ask = await askFor()
    const answers = await Promise.all(Array.from({ length: 20 }, () => hold(ask)))
    expect(new Set(answers.map((answer) => answer.case === 'held' && answer.value.saleId))).toEqual(
      new Set([ask.saleId]),
    )
  })

  it('is refused to a sale that was over before it came', async () => {
    for (const end of [released, (ask: Ask) => settle(ask, SettleOutcome.RELEASED)]) {
      const ask = await askFor()
      await end(ask)
      await end(ask)
      expect(await hold(ask)).toEqual(refused(RefusalKind.CONFLICT, 'sale_over'))
      expect((await hold(await askFor(ask.listingId))).case).toBe('held')
    }
  })

  it('ends free when hold and release of a sale race', async () => {
    const asks = await Promise.all(Array.from({ length: 20 }, () => askFor()))
    await Promise.all(asks.flatMap((ask) => [hold(ask), released(ask)]))
    for (const ask of asks) {
      expect(await stateOf(ask)).toMatchObject({ hold: 'released', is_active: true })
      expect((await hold(await askFor(ask.listingId))).case).toBe('held')
    }
  })
})

describe('Settle and the events of a sale', () => {
  const sold = { hold: 'sold', is_active: false, version: 2, events: 2 }
  const ways: [string, (ask: Ask) => Promise<unknown>][] = [
    ['the call', (ask) => settle(ask, SettleOutcome.SOLD)],
    ['the event', (ask) => paid(ask)],
  ]

  it.each(ways)('PAY-15 sells the item by %s, once', async (_name, sell) => {
    const ask = await askFor()
    await hold(ask)
    await Promise.all([sell(ask), sell(ask), settle(ask, SettleOutcome.SOLD), paid(ask)])
    expect(await stateOf(ask)).toEqual(sold)
    const detail = await stage.get(`/api/listings/${ask.listingId}`)
    expect(detail.body['is_active']).toBe(false)
  })

  it('frees the item', async () => {
    const ask = await askFor()
    await hold(ask)
    await settle(ask, SettleOutcome.RELEASED)
    await released(ask)
    expect(await stateOf(ask)).toEqual({ hold: 'released', is_active: true, version: 1, events: 1 })
    expect((await hold(await askFor(ask.listingId))).case).toBe('held')
    expect(await hold(ask)).toEqual(refused(RefusalKind.CONFLICT, 'sale_over'))
  })

  it('keeps a sold item sold, whichever notice comes first', async () => {
    for (const order of [
      [paid, released],
      [released, paid],
    ]) {
      const ask = await askFor()
      await hold(ask)
      for (const notice of [...order, ...order]) await notice(ask)
      expect(await stateOf(ask)).toEqual(sold)
    }
  })

  it('leaves auctions’ sales to the auction service', async () => {
    const ask = await askFor()
    await hold(ask)
    await paid(ask, Owner.AUCTION)
    await released(ask, Owner.AUCTION)
    expect(await stateOf(ask)).toMatchObject({ hold: 'held', is_active: true })
  })

  it('gives the money back for a paid sale that does not have the item, and changes nothing', async () => {
    const [holder, late] = [await askFor(), await askFor()]
    await hold(late)
    await released(late)
    await hold({ ...holder, listingId: late.listingId })
    const never = await askFor(late.listingId)
    for (const sale of [late, never]) {
      await settle(sale, SettleOutcome.SOLD)
      await paid(sale)
    }
    const refusals = await stage.rows(
      `select topic, version, payload from outbox where key = $1 and type = 'marketplace.sales.v1.SaleRefused' order by seq`,
      [late.listingId],
    )
    const refusal = ({ saleId, listingId }: Ask) => ({
      topic: topics.catalog,
      version: 1,
      payload: { saleId, listingId, owner: 'OWNER_CATALOG' },
    })
    expect(refusals).toEqual([refusal(late), refusal(never)])
    expect(await stateOf({ ...holder, listingId: late.listingId })).toMatchObject({ hold: 'held', is_active: true })
  })

  it('gives the money back for a paid sale of nothing, but not for one of the auction service', async () => {
    const [unknown, foreign] = [await askFor(newId()), await askFor()]
    await paid(unknown)
    await paid(foreign, Owner.AUCTION)
    const refusals = await stage.rows(`select key from outbox where type like '%SaleRefused' and key = any ($1)`, [
      [unknown.listingId, foreign.listingId],
    ])
    expect(refusals).toEqual([{ key: unknown.listingId }])
  })

  it('cannot be asked with anything but ids and a known outcome', async () => {
    const ask = await askFor()
    await expect(settle({ ...ask, saleId: 'x' }, SettleOutcome.SOLD)).rejects.toThrow(/id/)
    await expect(settle(ask, SettleOutcome.UNSPECIFIED)).rejects.toThrow(/outcome/)
    await expect(stage.sales.hold({ ...ask, buyerId: someone().name })).rejects.toThrow(/id/)
  })
})
