import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  AuctionOutcome,
  type AuctionClosed,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  OfferAcceptedSchema,
  type OfferAccepted,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { SaleRefusedSchema } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, type ConsumerDefinition } from '@marketplace/kit/consumer.ts'
import type { Context } from '../context.ts'
import type { PaymentsTables } from '../db.ts'
import { admitSale } from './admit-sale.ts'
import { ownerFrom, toOfferedTerms } from './contract.ts'
import { endCheckout } from './end-checkout.ts'
import { oweRefund } from './refund-sale.ts'
import { priced } from './sale.ts'
import type { PendingSale } from './sales.repo.ts'

type Settings = Pick<Context, 'settings'>

/** Owners tell who is to pay, and for what: an auction's winner, the buyer of an accepted offer. */
export function dueSales({ settings }: Settings): ConsumerDefinition<PaymentsTables> {
  return consumer(
    'due-sales',
    [topics.auction, topics.catalog],
    [
      on(AuctionClosedSchema, async (trx, event) => {
        if (event.outcome === AuctionOutcome.WON) await admitSale(trx, toWin(event), settings)
      }),
      on(OfferAcceptedSchema, (trx, event) => admitSale(trx, toAcceptedOffer(event), settings)),
    ],
  )
}

/**
 * Owners tell what is to end: an open checkout whose auction is over, a sale that was paid for nothing. A reader of its
 * own, since a sale that is due waits in its part of the topic until the one before it has ended.
 */
export function endingSales({ settings }: Settings): ConsumerDefinition<PaymentsTables> {
  return consumer(
    'ending-sales',
    [topics.auction, topics.catalog],
    [
      on(AuctionEndedSchema, (trx, { saleId }) => endCheckout(trx, saleId, settings)),
      on(SaleRefusedSchema, (trx, { saleId, owner }) => oweRefund(trx, { saleId, owner: ownerFrom(owner) })),
    ],
  )
}

function toWin({ saleId: id, listingId, winnerId: buyerId, terms, dueAt }: AuctionClosed): PendingSale {
  const sale = { id, listingId, buyerId, type: 'auction_win', owner: 'auction' } as const
  return { ...sale, terms: priced(toOfferedTerms(terms)), dueAt: dueTime(id, dueAt) }
}

function toAcceptedOffer({ saleId: id, listingId, buyerId, terms, dueAt }: OfferAccepted): PendingSale {
  const sale = { id, listingId, buyerId, type: 'offer_accepted', owner: 'catalog' } as const
  return { ...sale, terms: priced(toOfferedTerms(terms)), dueAt: dueTime(id, dueAt) }
}

function dueTime(saleId: string, dueAt: Timestamp | undefined): Date {
  if (!dueAt) throw new Error(`Sale ${saleId} has no time to be paid by.`)
  return timestampDate(dueAt)
}
