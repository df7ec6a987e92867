import { timestampDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  type AuctionClosed,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on } from '@marketplace/kit/consumer.ts'
import type { PaymentsTables } from '../db.ts'
import { toOfferedTerms } from './contract.ts'
import { priced } from './sale.ts'
import { insertPendingSale, type PendingSale } from './sales.repo.ts'

/** An auction that somebody won opens a sale, to be paid in time. */
export const wonAuctions = consumer<PaymentsTables>(
  'won-auctions',
  [topics.auction],
  [
    on(AuctionClosedSchema, async (trx, event) => {
      if (event.outcome === AuctionOutcome.WON) await insertPendingSale(trx, toWin(event))
    }),
  ],
)

function toWin({ saleId, listingId, winnerId, terms, dueAt }: AuctionClosed): PendingSale {
  if (!dueAt) throw new Error(`The win of auction ${listingId} has no time to be paid by.`)
  return {
    id: saleId,
    listingId,
    buyerId: winnerId,
    type: 'auction_win',
    owner: 'auction',
    terms: priced(toOfferedTerms(terms)),
    dueAt: timestampDate(dueAt),
  }
}
