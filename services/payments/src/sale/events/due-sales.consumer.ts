import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  type AuctionClosed,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  OfferAcceptedSchema,
  type OfferAccepted,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll, type ConsumerDefinition } from '@marketplace/kit/events/consumer.ts'
import type { Context } from '../../context.ts'
import type { PaymentsTables } from '../../db.ts'
import { registerSales } from '../register-sale.ts'
import { toSaleTerms } from '../sale-mapping.ts'
import { withFees } from '../sale.ts'
import type { PendingSale } from '../sales.repo.ts'

/** Stores an unpaid sale for each won auction and each accepted offer. */
export function dueSalesConsumer({ settings }: Pick<Context, 'settings'>): ConsumerDefinition<PaymentsTables> {
  return consumer(
    'due-sales',
    [topics.auction, topics.catalog],
    [
      onAll(AuctionClosedSchema, async (trx, events) => {
        const won = events.filter(({ outcome }) => outcome === AuctionOutcome.WON)
        const sales = won.map((event) => toWonSale(event, settings))
        await registerSales(trx, sales, settings)
      }),
      onAll(OfferAcceptedSchema, (trx, events) => {
        const sales = events.map((event) => toAcceptedOffer(event, settings))
        return registerSales(trx, sales, settings)
      }),
    ],
  )
}

function toWonSale(
  { saleId: id, listingId, winnerId: buyerId, terms, dueAt }: AuctionClosed,
  { FEE_BASIS_POINTS: rate }: Context['settings'],
): PendingSale {
  const sale = { id, listingId, buyerId, type: 'auction_win', inventoryService: 'auction' } as const
  return { ...sale, terms: withFees(toSaleTerms(terms), rate), dueAt: toDueAt(id, dueAt) }
}

function toAcceptedOffer(
  { saleId: id, listingId, buyerId, terms, dueAt }: OfferAccepted,
  { FEE_BASIS_POINTS: rate }: Context['settings'],
): PendingSale {
  const sale = { id, listingId, buyerId, type: 'offer_accepted', inventoryService: 'catalog' } as const
  return { ...sale, terms: withFees(toSaleTerms(terms), rate), dueAt: toDueAt(id, dueAt) }
}

function toDueAt(saleId: string, dueAt: Timestamp | undefined): Date {
  if (!dueAt) throw new Error(`Sale ${saleId} has no payment deadline.`)
  return timestampDate(dueAt)
}
