import { conflict, type DomainError } from '@marketplace/kit/errors/problem.ts'
import { createdAtMs } from '@marketplace/kit/values/ids.ts'
import type { CatalogSettings } from '../config.ts'
import type { Db, Trx } from '../db.ts'
import { formatLimit } from './format-limit.ts'
import { countListingUse } from './quotas.repo.ts'

const dayMs = 24 * 3_600_000

interface Limits {
  active: number
  perDay: number
}

/**
 * Throws `too_many_listings` (409) if the seller's quota is used up. To make the check safe against concurrent
 * requests, call `lockQuota` first.
 */
export async function requireListingQuota(db: Db | Trx, sellerId: string, settings: CatalogSettings): Promise<void> {
  const { use, limits, usual, rise } = await readQuota(db, sellerId, settings)
  if (use.active >= limits.active) throw tooMany(`${formatLimit(limits.active)} active listings${rise(usual.active)}`)
  if (use.today >= limits.perDay) throw tooMany(`${formatLimit(limits.perDay)} new listings a day${rise(usual.perDay)}`)
}

/**
 * Like `requireListingQuota`, but checks only the number of active listings, not the number of new listings per day.
 */
export async function requireActiveListingQuota(
  db: Db | Trx,
  sellerId: string,
  settings: CatalogSettings,
): Promise<void> {
  const { use, limits, usual, rise } = await readQuota(db, sellerId, settings)
  if (use.active >= limits.active) throw tooMany(`${formatLimit(limits.active)} active listings${rise(usual.active)}`)
}

async function readQuota(db: Db | Trx, sellerId: string, settings: CatalogSettings) {
  const usual = { active: settings.MAX_ACTIVE_LISTINGS, perDay: settings.MAX_LISTINGS_PER_DAY }
  const use = await countListingUse(db, sellerId, Math.max(usual.active, usual.perDay))
  const windowMs = settings.NEW_MEMBER_WINDOW_MS
  // If NEW_MEMBER_WINDOW_MS is 0, no account is new, even if clock differences make an account's age negative.
  const isNew = windowMs > 0 && use.readAt.getTime() - createdAtMs(sellerId) < windowMs
  const limits = isNew ? newMemberLimits(settings) : usual
  const rise = (max: number) => (isNew ? risesTo(max, windowMs) : '.')
  return { use, limits, usual, rise }
}

function newMemberLimits(settings: CatalogSettings): Limits {
  return { active: settings.MAX_NEW_MEMBER_ACTIVE_LISTINGS, perDay: settings.MAX_NEW_MEMBER_LISTINGS_PER_DAY }
}

function risesTo(max: number, windowMs: number): string {
  return ` for new members. The limit rises to ${formatLimit(max)} after ${Math.ceil(windowMs / dayMs)} days.`
}

function tooMany(limit: string): DomainError {
  return conflict('too_many_listings', `You've reached the limit of ${limit}`)
}
