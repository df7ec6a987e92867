import type { Context } from '../../context.ts'
import {
  deleteOldOrphanedIntents,
  readIntentPosition,
  storeIntentPosition,
  storeOrphanedIntents,
  type IntentPosition,
} from './orphaned-intents.repo.ts'

// The provider returns 100 intents per request.
const maxIntents = 1000

// Covers the clock skew to the provider and the retries of one call.
const skewSeconds = 600

// An intent appears in the list at the latest this long after its time of creation.
const overlapSeconds = 10

const looksPerSweep = 10

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface IntentLook {
  /** Whether the scan began with this look, rather than continue an earlier one. */
  isNewScan: boolean
  /** Whether the scan has read all intents that were created before it began. */
  hasEnded: boolean
}

/**
 * Reads the provider's intents that were created since the last scan, for all sales together and at most 1000, and stores those
 * that no sale has. The next look continues a scan that has not ended.
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

/** Keeps the position close to the present, so that a checkout reads few intents. Returns 0, so that the next run waits. */
export async function sweepIntents(ctx: Context): Promise<number> {
  await readIntentsUntilNow(ctx, looksPerSweep)
  await deleteOldOrphanedIntents(ctx.db)
  return 0
}

/**
 * Reads all intents that were created before this call, in at most `maxLooks` looks. Returns false when there are more.
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
