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
import { openBus, type BusEvent } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Item } from './fake-owner.ts'
import type { Stand } from './stand.ts'

export type News = Omit<BusEvent, 'position'>

/** A sale that an owner has made for this buyer, and knows. */
export interface Granted {
  saleId: string
  item: Item
  buyer: TestUser
  dueAt: Date
}

const inAnHour = () => new Date(Date.now() + 3_600_000)

/** An auction that this person has won, as its owner knows it. */
export function win(stand: Stand, buyer: TestUser, dueAt = inAnHour()): Granted {
  const granted = { saleId: newId(), item: stand.auction.addItem({ title: 'A watch' }), buyer, dueAt }
  stand.auction.holds.set(granted.saleId, { ...holdOf(granted), saleType: SaleType.AUCTION_WIN })
  return granted
}

/** An offer of this person that was accepted, as its owner knows it. */
export function acceptedOffer(stand: Stand, buyer: TestUser, dueAt = inAnHour(), item?: Item): Granted {
  const offered = item ?? stand.catalog.addItem({ priceCents: 1500, shippingCents: 0 })
  const granted = { saleId: newId(), item: offered, buyer, dueAt }
  stand.catalog.holds.set(granted.saleId, { ...holdOf(granted), saleType: SaleType.OFFER_ACCEPTED })
  return granted
}

function holdOf({ saleId, item, buyer, dueAt }: Granted) {
  return { saleId, listingId: item.listingId, buyerId: buyer.userId, state: 'held' as const, dueAt }
}

export function auctionWon({ saleId, item, buyer, dueAt }: Granted): News {
  const outcome = AuctionOutcome.WON
  const sale = { saleId, winnerId: buyer.userId, terms: item, dueAt: timestampFromDate(dueAt) }
  return closing(item.listingId, { outcome, ...sale })
}

export function auctionUnsold(listingId: string): News {
  return closing(listingId, { outcome: AuctionOutcome.NO_SALE })
}

function closing(listingId: string, more: MessageInitShape<typeof AuctionClosedSchema>): News {
  const closedAt = timestampFromDate(new Date())
  return news(topics.auction, AuctionClosedSchema, { listingId, number: 7n, closedAt, ...more })
}

export function auctionEnded({ saleId, listingId }: { saleId: string; listingId: string }): News {
  const endedAt = timestampFromDate(new Date())
  return news(topics.auction, AuctionEndedSchema, { listingId, saleId, number: 6n, endedAt })
}

export function offerAccepted({ saleId, item, buyer, dueAt }: Granted): News {
  const { listingId } = item
  const sale = { saleId, listingId, buyerId: buyer.userId, terms: item, dueAt: timestampFromDate(dueAt) }
  return news(topics.catalog, OfferAcceptedSchema, { offerId: newId(), ...sale })
}

export function saleRefused({ saleId, listingId }: { saleId: string; listingId: string }, owner: Owner): News {
  return news(owner === Owner.AUCTION ? topics.auction : topics.catalog, SaleRefusedSchema, {
    saleId,
    listingId,
    owner,
  })
}

function news<Desc extends DescMessage>(
  topic: Topic,
  schema: Desc,
  message: MessageInitShape<Desc> & { listingId: string },
): News {
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

export interface Messenger {
  /** Sends these in this order, as other services do. */
  send(...events: News[]): Promise<void>
  /** The same, and waits until payments has taken all in; `parked` tells how many it could not. */
  deliver(...events: News[]): Promise<void>
  parked(): Promise<number>
  close(): Promise<void>
}

/** The bus on which the other services speak. */
export async function startMessenger(stand: Stand): Promise<Messenger> {
  const bus = await openBus({ BUS_DATABASE_URL: stand.database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  const send = async (...events: News[]) => {
    for (const event of events) await bus.publish([event])
  }
  const takenIn = async (ids: readonly string[]) => {
    const { rows } = await sql<{ count: number }>`
      select count(distinct event_id) as count from inbox where event_id = any(${ids})`.execute(stand.db)
    return rows[0]?.count
  }
  return {
    send,
    async deliver(...events) {
      await send(...events)
      const ids = [...new Set(events.map(({ id }) => id))]
      await eventually(async () => (await takenIn(ids)) === ids.length)
    },
    async parked() {
      const { rows } = await sql<{ count: number }>`select count(*) as count from parked`.execute(stand.db)
      return rows[0]?.count ?? -1
    },
    close: () => bus.close(),
  }
}
