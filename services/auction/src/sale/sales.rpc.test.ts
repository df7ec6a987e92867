import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
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
import { topics, type Topic } from '@marketplace/contracts/topics.ts'
import { openBus, type Bus } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDueAuctions } from '../auction/close-auctions.ts'
import { createAuctionService } from '../service.ts'
import { setStage, type Stage } from '../testing/stage.ts'

const alice = someone('Alice')

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

interface Won {
  listingId: string
  saleId: string
}

async function wonByAlice(): Promise<Won> {
  const listingId = await stage.openAuction()
  await stage.bid(listingId, 150, alice)
  await stage.endIn(listingId, -1)
  await closeDueAuctions(stage.first.ctx)
  // The running service's closer may have been first, and still be at it.
  const hold = await eventually(async () => (await holdsOf(listingId))[0])
  return { listingId, saleId: String(hold['sale_id']) }
}

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
  const settle = (sale: Won, outcome: SettleOutcome) => stage.first.sales.settle({ ...sale, outcome })

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

describe('events of other services', () => {
  let running: Service
  let bus: Bus

  beforeAll(async () => {
    running = createAuctionService(stage.settings)
    await running.start()
    bus = await openBus(stage.settings, openLog('test', 'silent'))
    await eventually(() => bus.isHealthy())
  })
  afterAll(async () => {
    await bus.close()
    await running.stop()
  })

  // Each event is sent twice under one id, as a relay may.
  async function send<Desc extends DescMessage>(
    topic: Topic,
    schema: Desc,
    message: MessageInitShape<Desc> & { listingId?: string },
  ) {
    const event = {
      id: newId(),
      topic,
      key: message.listingId ?? newId(),
      type: schema.typeName,
      occurredAt: new Date().toISOString(),
      version: 1,
      traceparent: null,
      payload: toJson(schema, create(schema, message)),
    }
    await bus.publish([event, event])
  }

  const settledAs = (listingId: string, state: string) =>
    eventually(async () => (await holdsOf(listingId))[0]?.['state'] === state)

  it('PaymentSucceeded marks the win sold; a later SaleReleased changes nothing', async () => {
    const sale = await wonByAlice()
    const released = await wonByAlice()
    await send(topics.payments, PaymentSucceededSchema, { ...sale, owner: Owner.AUCTION })
    await settledAs(sale.listingId, 'sold')
    await send(topics.payments, SaleReleasedSchema, { ...sale, owner: Owner.AUCTION, reason: 'unpaid' })
    await send(topics.payments, SaleReleasedSchema, { ...released, owner: Owner.AUCTION, reason: 'unpaid' })
    await settledAs(released.listingId, 'released')
    expect((await holdsOf(sale.listingId))[0]?.['state']).toBe('sold')
  })

  it('those of sales that catalog owns are not for us', async () => {
    const sale = await wonByAlice()
    const other = await wonByAlice()
    await send(topics.payments, PaymentSucceededSchema, { ...sale, owner: Owner.CATALOG })
    await send(topics.payments, PaymentSucceededSchema, { ...other, owner: Owner.AUCTION })
    await settledAs(other.listingId, 'sold')
    expect((await holdsOf(sale.listingId))[0]?.['state']).toBe('held')
  })

  it('ListingCreated makes a fixed-price listing known, and only that', async () => {
    const fixed = newId()
    const auction = newId()
    const listing = { sellerId: stage.seller.userId, title: 'A lamp' }
    await send(topics.catalog, ListingCreatedSchema, { listing: { ...listing, id: auction, isAuction: true } })
    await send(topics.catalog, ListingCreatedSchema, { listing: { ...listing, id: fixed } })
    await eventually(async () => (await stage.bid(fixed, 150)).status === 409)
    expect((await stage.bid(auction, 150)).status).toBe(404)
  })
})
