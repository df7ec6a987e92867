import type { Transaction, TransactionType } from '../../api/client/types.ts'

export const typeLabels: Record<TransactionType, string> = {
  buy_now: 'Buy Now',
  auction_win: 'Auction Won',
  offer_accepted: 'Offer Accepted',
}

export type Status = 'completed' | 'cancelled' | 'pending'

/** Returns the status that is shown to the user. Every status other than completed and cancelled is shown as pending. */
export function statusOf({ status }: Transaction): Status {
  return status === 'completed' || status === 'cancelled' ? status : 'pending'
}
