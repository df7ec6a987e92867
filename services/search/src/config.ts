import { durationMs, listenSettings, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

// The rebuild listens to nobody and asks two neighbours.
const rebuildSettings = z.object({
  LOG_LEVEL: listenSettings.shape.LOG_LEVEL,
  DATABASE_URL: serviceSettings.shape.DATABASE_URL,
  INTERNAL_SECRET: serviceSettings.shape.INTERNAL_SECRET,
  CATALOG_INTERNAL_URL: z.url(),
  AUCTION_INTERNAL_URL: z.url(),
  READ_LISTINGS_MS: durationMs.default(1000),
  READ_AUCTIONS_MS: durationMs.default(250),
  // How long a step of the rebuild is tried again.
  PATIENCE_MS: durationMs.default(60_000),
})

const searchSettings = serviceSettings.extend({
  /** A search computes and seldom waits: more at once than the database has cores only slow each other (docs/performance.md). */
  DATABASE_CONNECTIONS: serviceSettings.shape.DATABASE_CONNECTIONS.default(3),
  // Trending is counted there.
  REDIS_URL: z.string().min(1).optional(),
  /** How long a search stays in the history of a person or session who does not repeat it. */
  KEEP_SEARCHES_MS: durationMs.default(180 * 24 * 3_600_000),
  SWEEP_SEARCHES_MS: durationMs.default(60_000),
})

export type SearchSettings = z.output<typeof searchSettings>

export function readConfig(): SearchSettings {
  return readSettings(searchSettings, process.env)
}

export function readRebuildConfig(): z.output<typeof rebuildSettings> {
  return readSettings(rebuildSettings, process.env)
}
