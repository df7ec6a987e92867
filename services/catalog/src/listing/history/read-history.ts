import { databaseTime } from '@marketplace/kit/db/db.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import type { Cents } from '@marketplace/kit/values/money.ts'
import type { Db, ListingRevisionRow } from '../../db.ts'
import { findSellerId } from '../listings.repo.ts'
import { findPrices, findRevision, isSideOfSale } from './history.repo.ts'

export interface PricePeriod {
  price: Cents
  from: Date
  /** Null for the current price. */
  until: Date | null
}

const shownMs = 90 * 24 * 3_600_000

/**
 * Returns the prices that a listing had in the last 90 days, newest first. Throws `missing` (404) if the listing does
 * not exist.
 */
export async function readPrices(db: Db, listingId: string): Promise<PricePeriod[]> {
  if (!isId(listingId) || !(await findSellerId(db, listingId))) throw missing('listing')
  const prices = await findPrices(db, listingId)
  const since = (await databaseTime(db)).getTime() - shownMs
  return prices
    .map((point, index) => ({ ...point, until: prices[index + 1]?.from ?? null }))
    .filter(({ until }) => until === null || until.getTime() > since)
    .toReversed()
}

/**
 * Returns a revision of a listing if the user is the buyer or the seller in a sale under the terms of that revision.
 * Throws `missing` (404) for all other users.
 */
export async function readRevision(
  db: Db,
  userId: string,
  { listingId, termsVersion }: { listingId: string; termsVersion: number },
): Promise<ListingRevisionRow> {
  const isRevision = isId(listingId) && Number.isInteger(termsVersion) && termsVersion > 0 && termsVersion < 2 ** 31
  const isSide = isRevision && (await isSideOfSale(db, userId, { listingId, termsVersion }))
  const revision = isSide ? await findRevision(db, listingId, termsVersion) : undefined
  if (!revision) throw missing('revision')
  return revision
}
