import type { Context } from '../../context.ts'
import {
  deleteOldOrphanedIntents,
  readIntentPosition,
  storeIntentPosition,
  storeOrphanedIntents,
  type IntentPosition,
} from './orphaned-intents.repo.ts'

// Maximum number of payment intents per read of the provider's list. The SDK fetches them in requests of at most 100.
const maxIntents = 1000

// Margin in seconds, subtracted from times of this service's clock, because the provider's clock can be behind.
const skewSeconds = 600

// Overlap of consecutive scans in seconds, because the provider's list can omit an intent shortly after its creation.
const overlapSeconds = 10

const looksPerSweep = 10

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface IntentLook {
  /** True if this read of the provider's list started a new scan; false if it continued an unfinished scan. */
  isNewScan: boolean
  /** True if all intents that were created before the scan started have been read. */
  hasEnded: boolean
}

/**
 * Reads the next page of new payment intents from the provider, up to 1000 of them, and stores the orphaned intents. If
 * the provider has more pages, the next call continues the scan.
 */
async function readNewIntents({ db, provider }: Pick<Context, 'db' | 'provider'>): Promise<IntentLook> {
  const position = await readIntentPosition(db, skewSeconds)
  const { readUntil, scan } = position
  const query = { since: readUntil - overlapSeconds, after: scan?.after ?? null, limit: maxIntents }
  const startedAt = Math.floor(Date.now() / 1000)
  const { intents, hasMore } = await provider.listIntents(query)
  const ofSales = intents.flatMap(({ id, saleId, status }) =>
    saleId !== null && uuid.test(saleId) && status !== 'canceled' ? [{ id, saleId }] : [],
  )
  await storeOrphanedIntents(db, ofSales)
  const newest = scan?.until ?? intents[0]?.createdAt ?? readUntil
  const last = intents.at(-1)
  const next: IntentPosition =
    hasMore && last
      ? { readUntil, scan: { until: newest, after: last.id } }
      : { readUntil: Math.max(readUntil, newest, scan ? 0 : startedAt - skewSeconds), scan: null }
  await storeIntentPosition(db, position, next)
  return { isNewScan: scan === null, hasEnded: !hasMore }
}

/**
 * Reads new payment intents, to speed up later searches for orphaned intents, and deletes old records of orphaned
 * intents. Always returns 0 (no further work), so the sweeper waits for its interval.
 */
export async function sweepIntents(ctx: Context): Promise<number> {
  await readIntentsUntilNow(ctx, looksPerSweep)
  await deleteOldOrphanedIntents(ctx.db)
  return 0
}

/**
 * Reads all payment intents that were created before this call, up to `maxLooks` pages of 1000 intents. Returns false
 * if intents remain unread.
 */
export async function readIntentsUntilNow(ctx: Context, maxLooks: number): Promise<boolean> {
  let hasBegun = false
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const { isNewScan, hasEnded } = await readNewIntents(ctx)
    hasBegun ||= isNewScan
    if (hasBegun && hasEnded) return true
  }
  return false
}
