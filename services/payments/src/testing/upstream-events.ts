import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  AuctionOutcome,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { OfferAcceptedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { Owner, SaleRefusedSchema, SaleType } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics, type Topic } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Item } from './fake-inventory.ts'
import type { Harness } from './harness.ts'

export type UpstreamEvent = Omit<BusEvent, 'position'>

/** A sale that an inventory service granted to this buyer. */
export interface GrantedSale {
  saleId: string
  item: Item
  buyer: TestUser
  dueAt: Date
}

const inAnHour = () => new Date(Date.now() + 3_600_000)

/** Adds a won auction of this user to the fake auction service. */
export function addWonAuction(harness: Harness, buyer: TestUser, dueAt = inAnHour(), item?: Item): GrantedSale {
  const won = item ?? harness.auction.addItem({ title: 'A watch' })
  const granted = { saleId: newId(), item: won, buyer, dueAt }
  harness.auction.holds.set(granted.saleId, { ...holdOf(granted), saleType: SaleType.AUCTION_WIN })
  return granted
}

/** Adds an accepted offer of this user to the fake catalog service. */
export function addAcceptedOffer(harness: Harness, buyer: TestUser, dueAt = inAnHour(), item?: Item): GrantedSale {
  const offered = item ?? harness.catalog.addItem({ priceCents: 1500, shippingCents: 0 })
  const granted = { saleId: newId(), item: offered, buyer, dueAt }
  harness.catalog.holds.set(granted.saleId, { ...holdOf(granted), saleType: SaleType.OFFER_ACCEPTED })
  return granted
}

function holdOf({ saleId, item, buyer, dueAt }: GrantedSale) {
  return { saleId, listingId: item.listingId, buyerId: buyer.userId, state: 'held' as const, dueAt }
}

export function auctionWon({ saleId, item, buyer, dueAt }: GrantedSale): UpstreamEvent {
  const outcome = AuctionOutcome.WON
  const sale = { saleId, winnerId: buyer.userId, terms: item, dueAt: timestampFromDate(dueAt) }
  return closing(item.listingId, { outcome, ...sale })
}

export function auctionClosedUnsold(listingId: string): UpstreamEvent {
  return closing(listingId, { outcome: AuctionOutcome.NO_SALE })
}

function closing(listingId: string, more: MessageInitShape<typeof AuctionClosedSchema>): UpstreamEvent {
  const closedAt = timestampFromDate(new Date())
  return upstreamEvent(topics.auction, AuctionClosedSchema, { listingId, number: 7n, closedAt, ...more })
}

export function auctionEnded({ saleId, listingId }: { saleId: string; listingId: string }): UpstreamEvent {
  const endedAt = timestampFromDate(new Date())
  return upstreamEvent(topics.auction, AuctionEndedSchema, { listingId, saleId, number: 6n, endedAt })
}

export function offerAccepted({ saleId, item, buyer, dueAt }: GrantedSale): UpstreamEvent {
  const { listingId } = item
  const sale = { saleId, listingId, buyerId: buyer.userId, terms: item, dueAt: timestampFromDate(dueAt) }
  return upstreamEvent(topics.catalog, OfferAcceptedSchema, { offerId: newId(), ...sale })
}

export function saleRefused({ saleId, listingId }: { saleId: string; listingId: string }, owner: Owner): UpstreamEvent {
  return upstreamEvent(owner === Owner.AUCTION ? topics.auction : topics.catalog, SaleRefusedSchema, {
    saleId,
    listingId,
    owner,
  })
}

function upstreamEvent<Desc extends DescMessage>(
  topic: Topic,
  schema: Desc,
  message: MessageInitShape<Desc> & { listingId: string },
): UpstreamEvent {
  return {
    id: newId(),
    topic,
    key: message.listingId,
    type: schema.typeName,
    occurredAt: new Date().toISOString(),
    version: 7,
    traceparent: null,
    payload: toJson(schema, create(schema, message)),
  }
}

export interface UpstreamEvents {
  /** Publishes the events in this order, one call per event. */
  send(...events: UpstreamEvent[]): Promise<void>
  /** Publishes events with one call. */
  sendAll(events: readonly UpstreamEvent[]): Promise<void>
  /** Publishes events and waits until the payments service has consumed all of them. */
  deliver(...events: UpstreamEvent[]): Promise<void>
  countParked(): Promise<number>
  close(): Promise<void>
}

/** Opens the bus that the other services publish on. */
export async function startUpstreamEvents(harness: Harness): Promise<UpstreamEvents> {
  const bus = await openBus({ BUS_DATABASE_URL: harness.database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  const send = async (...events: UpstreamEvent[]) => {
    for (const event of events) await bus.publish([event])
  }
  const countConsumed = async (ids: readonly string[]) => {
    const { rows } = await sql<{ count: number }>`
      select count(distinct event_id) as count from inbox where event_id = any(${ids})`.execute(harness.db)
    return rows[0]?.count
  }
  return {
    send,
    sendAll: (events) => bus.publish(events),
    async deliver(...events) {
      await send(...events)
      const ids = [...new Set(events.map(({ id }) => id))]
      await eventually(async () => (await countConsumed(ids)) === ids.length)
    },
    async countParked() {
      const { rows } = await sql<{ count: number }>`select count(*) as count from parked`.execute(harness.db)
      return rows[0]?.count ?? -1
    },
    close: () => bus.close(),
  }
}
