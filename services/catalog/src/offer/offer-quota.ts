import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Trx } from '../db.ts'
import { formatLimit } from '../quota/format-limit.ts'
import { lockQuota } from '../quota/quotas.repo.ts'
import { countPendingOffers } from './offers.repo.ts'

/**
 * Throws `too_many_offers` (409) if the buyer already has `max` pending offers. The caller must have locked the
 * listing.
 */
export async function requireOfferQuota(trx: Trx, buyerId: string, max: number): Promise<void> {
  await lockQuota(trx, 'offers', buyerId)
  if ((await countPendingOffers(trx, buyerId, max)) < max) return
  throw conflict(
    'too_many_offers',
    `You've reached the limit of ${formatLimit(max)} pending offers. Withdraw one first.`,
  )
}
