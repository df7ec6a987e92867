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
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

interface Sale {
  saleId: string
  listingId: string
  buyerId: string
}

async function hold(sale: Sale, saleType: SaleType = SaleType.BUY_NOW) {
  return (await harness.sales.hold({ ...sale, saleType })).answer
}

async function newSale(listingId?: string): Promise<Sale> {
  return { saleId: newId(), listingId: listingId ?? (await harness.createListing()), buyerId: newId() }
}

function settle({ saleId, listingId }: Sale, outcome: SettleOutcome) {
  return harness.sales.settle({ saleId, listingId, outcome })
}

function applyPaymentSucceeded({ saleId, listingId }: Sale, owner: Owner = Owner.CATALOG) {
  return harness.applyEvent(PaymentSucceededSchema, { saleId, listingId, owner })
}

function applySaleReleased({ saleId, listingId }: Sale, owner: Owner = Owner.CATALOG) {
  return harness.applyEvent(SaleReleasedSchema, { saleId, listingId, owner, reason: 'expired' })
}

async function readState({ saleId, listingId }: Sale) {
  const [row] = await harness.rows(
    `select (select state from holds where sale_id = $1) as hold, is_active, version,
       (select count(*)::int from outbox where key = listings.id::text) as events
     from listings where id = $2`,
    [saleId, listingId],
  )
  return row
}

const rejected = (kind: RefusalKind, code: string) => ({
  case: 'refused',
  value: expect.objectContaining({ kind, code, message: expect.stringMatching(/\.$/) }),
})

describe('Hold', () => {
  it('holds the item at the terms of that moment, and returns the same hold to the same sale', async () => {
    const listingId = await harness.createListing({ shipping_cost: 4.5, image_urls: ['https://a.example/1.jpg'] })
    const sale = await newSale(listingId)
    const first = await hold(sale)
    expect(first).toMatchObject({
      case: 'held',
      value: {
        saleId: sale.saleId,
        saleType: SaleType.BUY_NOW,
        terms: {
          listingId,
          sellerId: harness.seller.userId,
          priceCents: 2499,
          shippingCents: 450,
          title: 'A brass lamp',
          imageUrl: 'https://a.example/1.jpg',
        },
      },
    })
    await harness.rows('update listings set price_cents = 9900 where id = $1', [listingId])
    expect(await hold(sale)).toEqual(first)
    expect(await readState(sale)).toEqual({ hold: 'held', is_active: true, version: 2, events: 2 })
  })

  it('PAY-12 is rejected for the seller', async () => {
    expect(await hold({ ...(await newSale()), buyerId: harness.seller.userId })).toEqual(
      rejected(RefusalKind.FORBIDDEN, 'own_listing'),
    )
  })

  it('is rejected for an unknown listing', async () => {
    expect(await hold(await newSale(newId()))).toEqual(rejected(RefusalKind.MISSING, 'not_found'))
    expect(await hold(await newSale('x'))).toEqual(rejected(RefusalKind.MISSING, 'not_found'))
  })

  it('is rejected for an auction', async () => {
    expect(await hold(await newSale(await harness.createAuction()))).toEqual(
      rejected(RefusalKind.CONFLICT, 'wrong_kind'),
    )
  })

  it('PAY-12 is rejected for an inactive and for a sold listing', async () => {
    const inactive = await newSale()
    await harness.rows('update listings set is_active = false where id = $1', [inactive.listingId])
    expect(await hold(inactive)).toEqual(rejected(RefusalKind.CONFLICT, 'inactive'))
    const sold = await newSale()
    await hold(sold)
    await settle(sold, SettleOutcome.SOLD)
    expect(await hold({ ...sold, saleId: newId() })).toEqual(rejected(RefusalKind.CONFLICT, 'sold'))
    expect(await hold(await newSale(sold.listingId))).toEqual(rejected(RefusalKind.CONFLICT, 'sold'))
  })

  it('is rejected as reserved for other buyers, and returns the existing hold to the same buyer', async () => {
    const sale = await newSale()
    await hold(sale)
    expect(await hold(await newSale(sale.listingId))).toEqual(rejected(RefusalKind.CONFLICT, 'reserved'))
    expect(await hold({ ...sale, saleId: newId() })).toMatchObject({ case: 'held', value: { saleId: sale.saleId } })
  })

  it('is rejected as missing when the sale belongs to another buyer or another listing', async () => {
    const sale = await newSale()
    await hold(sale)
    const missing = rejected(RefusalKind.MISSING, 'not_found')
    expect(await hold({ ...sale, buyerId: newId() })).toEqual(missing)
    expect(await hold({ ...sale, listingId: await harness.createListing() })).toEqual(missing)
    expect(await readState(sale)).toMatchObject({ hold: 'held', is_active: true })
  })

  it('creates no hold for an accepted offer or a won auction', async () => {
    for (const type of [SaleType.OFFER_ACCEPTED, SaleType.AUCTION_WIN]) {
      expect(await hold(await newSale(), type)).toEqual(rejected(RefusalKind.MISSING, 'not_found'))
    }
  })

  it('PAY-13 holds the item for one of 50 concurrent buyers', async () => {
    const listingId = await harness.createListing()
    const sales = await Promise.all(Array.from({ length: 50 }, () => newSale(listingId)))
    const results = await Promise.all(sales.map((sale) => hold(sale)))
    expect(results.filter((result) => result.case === 'held')).toHaveLength(1)
    expect(results.filter((result) => result.case === 'refused' && result.value.code === 'reserved')).toHaveLength(49)
    expect(await harness.rows('select 1 from holds where listing_id = $1', [listingId])).toHaveLength(1)
  })

  it('returns one hold to 20 concurrent requests of one sale', async () => {
    const sale = await newSale()
    const results = await Promise.all(Array.from({ length: 20 }, () => hold(sale)))
    expect(new Set(results.map((result) => result.case === 'held' && result.value.saleId))).toEqual(
      new Set([sale.saleId]),
    )
  })

  it('is rejected for a sale that was released before', async () => {
    for (const release of [applySaleReleased, (sale: Sale) => settle(sale, SettleOutcome.RELEASED)]) {
      const sale = await newSale()
      await release(sale)
      await release(sale)
      expect(await hold(sale)).toEqual(rejected(RefusalKind.CONFLICT, 'sale_over'))
      expect((await hold(await newSale(sale.listingId))).case).toBe('held')
    }
  })

  it('leaves the item available when the hold and the release of a sale compete', async () => {
    const sales = await Promise.all(Array.from({ length: 20 }, () => newSale()))
    await Promise.all(sales.flatMap((sale) => [hold(sale), applySaleReleased(sale)]))
    for (const sale of sales) {
      expect(await readState(sale)).toMatchObject({ hold: 'released', is_active: true })
      expect((await hold(await newSale(sale.listingId))).case).toBe('held')
    }
  })
})

describe('Settle and the events of a sale', () => {
  const sold = { hold: 'sold', is_active: false }
  const once = { version: 3, events: 3 }
  const notifications: [string, (sale: Sale) => Promise<unknown>][] = [
    ['the call', (sale) => settle(sale, SettleOutcome.SOLD)],
    ['the event', (sale) => applyPaymentSucceeded(sale)],
  ]

  it.each(notifications)('PAY-15 sell the item once by %s', async (_name, sell) => {
    const sale = await newSale()
    await hold(sale)
    await Promise.all([sell(sale), sell(sale), settle(sale, SettleOutcome.SOLD), applyPaymentSucceeded(sale)])
    expect(await readState(sale)).toEqual({ ...sold, ...once })
    const detail = await harness.get(`/api/listings/${sale.listingId}`)
    expect(detail.body['is_active']).toBe(false)
  })

  it('make the item available again when the sale is released', async () => {
    const sale = await newSale()
    await hold(sale)
    await settle(sale, SettleOutcome.RELEASED)
    await applySaleReleased(sale)
    expect(await readState(sale)).toEqual({ hold: 'released', is_active: true, version: 3, events: 3 })
    expect((await hold(await newSale(sale.listingId))).case).toBe('held')
    expect(await hold(sale)).toEqual(rejected(RefusalKind.CONFLICT, 'sale_over'))
  })

  it('keep a sold item sold, whichever of payment and release is applied first', async () => {
    for (const order of [
      [applyPaymentSucceeded, applySaleReleased],
      [applySaleReleased, applyPaymentSucceeded],
    ]) {
      const sale = await newSale()
      await hold(sale)
      for (const apply of [...order, ...order]) await apply(sale)
      expect(await readState(sale)).toMatchObject(sold)
    }
  })

  it('ignore the sales of the auction service', async () => {
    const sale = await newSale()
    await hold(sale)
    await applyPaymentSucceeded(sale, Owner.AUCTION)
    await applySaleReleased(sale, Owner.AUCTION)
    expect(await readState(sale)).toMatchObject({ hold: 'held', is_active: true })
  })

  it('publish SaleRefused for a paid sale that does not hold the item, and change nothing else', async () => {
    const [holder, late] = [await newSale(), await newSale()]
    await hold(late)
    await applySaleReleased(late)
    await hold({ ...holder, listingId: late.listingId })
    const never = await newSale(late.listingId)
    for (const sale of [late, never]) {
      await settle(sale, SettleOutcome.SOLD)
      await applyPaymentSucceeded(sale)
    }
    const events = await harness.rows(
      `select topic, version, payload from outbox where key = $1 and type = 'marketplace.sales.v1.SaleRefused' order by seq`,
      [late.listingId],
    )
    const saleRefused = ({ saleId, listingId }: Sale) => ({
      topic: topics.catalog,
      version: 4,
      payload: { saleId, listingId, owner: 'OWNER_CATALOG' },
    })
    expect(events).toEqual([saleRefused(late), saleRefused(never)])
    expect(await readState({ ...holder, listingId: late.listingId })).toMatchObject({ hold: 'held', is_active: true })
  })

  it('publish SaleRefused for a paid sale of an unknown listing, but not for one of the auction service', async () => {
    const [unknown, foreign] = [await newSale(newId()), await newSale()]
    await applyPaymentSucceeded(unknown)
    await applyPaymentSucceeded(foreign, Owner.AUCTION)
    const events = await harness.rows(`select key from outbox where type like '%SaleRefused' and key = any ($1)`, [
      [unknown.listingId, foreign.listingId],
    ])
    expect(events).toEqual([{ key: unknown.listingId }])
  })

  it('reject invalid ids and an unknown outcome', async () => {
    const sale = await newSale()
    await expect(settle({ ...sale, saleId: 'x' }, SettleOutcome.SOLD)).rejects.toThrow(/id/)
    await expect(settle(sale, SettleOutcome.UNSPECIFIED)).rejects.toThrow(/outcome/)
    await expect(harness.sales.hold({ ...sale, buyerId: randomUser().name })).rejects.toThrow(/id/)
  })
})
