import { closeAuction, closeByBuyNow, type Auction, type Closing } from '../auction/auction.ts'
import type { Hold } from './hold.ts'

export interface SettleRequest {
  saleId: string
  listingId: string
  outcome: 'sold' | 'released'
  /** Why the sale was released, as in the event SaleReleased. Empty for a completed sale. */
  reason: string
}

export interface Settlement {
  /** False if the buyer paid although the item was not held for the sale, so that the payment must be refunded. */
  isAccepted: boolean
  /** Sequence number of the auction's last event before this request; 0 if there is no auction. */
  number: number
}

export interface SettlementCircumstances {
  sale: { newId: () => string; dueAfterMs: number }
  /** The database's time, read after the rows of the auctions were locked. */
  now: Date
}

export interface EvaluatedSettlements {
  /** One per request, in the same order. */
  settlements: Settlement[]
  /** Holds that these requests changed to `sold` or `released`. */
  settled: Hold[]
  /** Released sales that have no hold here. They are stored, so that a later `Hold` is rejected. */
  unknownReleased: string[]
  closings: Closing[]
}

/** Evaluates requests in order, each against the state after the previous request. */
export function evaluateSettlements(
  requests: readonly SettleRequest[],
  known: { auctions: readonly Auction[]; holds: readonly Hold[] },
  circumstances: SettlementCircumstances,
): EvaluatedSettlements {
  const auctions = new Map(known.auctions.map((auction) => [auction.listingId, auction]))
  const holds = new Map(known.holds.map((hold) => [hold.saleId, hold]))
  const result: EvaluatedSettlements = { settlements: [], settled: [], unknownReleased: [], closings: [] }
  for (const { saleId, listingId, outcome } of requests) {
    const auction = auctions.get(listingId)
    const holdOfSale = holds.get(saleId)
    const hold = auction && holdOfSale?.listingId === listingId ? holdOfSale : undefined
    const isHeld = hold?.state === 'held'
    const isAccepted = isHeld || outcome === 'released' || hold?.state === 'sold'
    result.settlements.push({ isAccepted, number: auction?.number ?? 0 })
    if (!auction || !hold || !isHeld) {
      // The release is recorded even without a hold, so that a Hold call that arrives later is rejected.
      if (!hold && outcome === 'released') result.unknownReleased.push(saleId)
      continue
    }
    const settled: Hold = { ...hold, state: outcome }
    holds.set(saleId, settled)
    result.settled.push(settled)
    const closing = closingAfter(auction, settled, circumstances)
    if (!closing) continue
    auctions.set(listingId, closing.auction)
    result.closings.push(closing)
  }
  return result
}

function closingAfter(auction: Auction, hold: Hold, { sale, now }: SettlementCircumstances): Closing | undefined {
  // Only a buy-now hold can still close its auction. Any other hold belongs to a won auction, which is already closed.
  if (hold.saleType !== 'buy_now') return undefined
  if (hold.state === 'sold') return closeByBuyNow(auction, now)
  if (auction.state !== 'settling') return undefined
  return closeAuction(auction, { id: sale.newId(), dueAfterMs: sale.dueAfterMs }, now)
}
