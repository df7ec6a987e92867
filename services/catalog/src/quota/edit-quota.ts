import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { Trx } from '../db.ts'
import { formatLimit } from './format-limit.ts'
import { countRecentEdits } from './quotas.repo.ts'

/**
 * Throws `too_many_edits` (409) if the terms of a listing were changed `max` times in the last 24 hours. The caller must
 * have locked the listing.
 */
export async function requireEditQuota(trx: Trx, listingId: string, max: number): Promise<void> {
  if ((await countRecentEdits(trx, listingId, max)) < max) return
  throw conflict(
    'too_many_edits',
    `You've reached the limit of ${formatLimit(max)} edits of a listing a day. Try again later.`,
  )
}
