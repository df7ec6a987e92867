import { forbidden } from '@marketplace/kit/errors/problem.ts'
import type { Trx } from '../db.ts'
import { isBlockedEitherWay, lockPairs } from './blocks.repo.ts'
import { isPaidRecently } from './paid-sales.repo.ts'

export interface Participants {
  listingId: string
  buyerId: string
  sellerId: string
}

/**
 * Locks the buyer and the seller as a pair, so that a block waits for the transaction that contacts the other one.
 * Throws `blocked` (403) if the buyer or the seller has blocked the other, unless the buyer has paid for the listing
 * within the last 60 days.
 */
export async function requireContact(trx: Trx, { listingId, buyerId, sellerId }: Participants): Promise<void> {
  await lockPairs(trx, [[buyerId, sellerId]])
  if (!(await isBlockedEitherWay(trx, buyerId, sellerId))) return
  if (!(await isPaidRecently(trx, listingId, buyerId))) throw forbidden('blocked', "You can't message this member.")
}
