import type { Transaction, TransactionType } from '../../api/client/types.ts'

export const typeLabels: Record<TransactionType, string> = {
  buy_now: 'Buy Now',
  auction_win: 'Auction Won',
  offer_accepted: 'Offer Accepted',
}

export type Status = 'completed' | 'cancelled' | 'pending'

/**
 * Returns the status that is shown to the user. Every status except `completed` and `cancelled` is shown as pending.
 */
export function statusOf({ status }: Transaction): Status {
  return status === 'completed' || status === 'cancelled' ? status : 'pending'
}

/**
 * Returns why the seller received no money for a sale, or null if the seller was paid. A `cancelled` sale was either
 * refunded or never paid by the buyer.
 */
export function notReceivedNote(transaction: Transaction): string | null {
  const { refunded_amount: refunded = 0 } = transaction
  const status = statusOf(transaction)
  if (status === 'completed') return null
  if (status === 'pending') return "Not paid yet. You'll receive this once the buyer pays."
  return `This sale was ${refunded > 0 ? 'refunded' : 'canceled'}. You weren't paid.`
}
