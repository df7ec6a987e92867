import { durationMs, listenSettings, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { picturesOrigin } from '@marketplace/contracts/pictures.ts'
import { z } from 'zod'

// Settings for all commands of this service.
export const commandSettings = z.object({
  LOG_LEVEL: listenSettings.shape.LOG_LEVEL,
  // Same as for the service.
  DATABASE_URL: serviceSettings.shape.DATABASE_URL,
})

// Additional settings for the command that rebuilds the search index from the catalog and auction services.
export const rebuildSettings = commandSettings.extend({
  // Same as for the service.
  INTERNAL_SECRET: serviceSettings.shape.INTERNAL_SECRET,
  // URL of the catalog service's internal port.
  CATALOG_INTERNAL_URL: z.url(),
  // URL of the auction service's internal port.
  AUCTION_INTERNAL_URL: z.url(),
  // Timeout of a GetListings call.
  LISTINGS_TIMEOUT_MS: durationMs.default(1000),
  // Timeout of a GetAuctions call.
  AUCTIONS_TIMEOUT_MS: durationMs.default(250),
  // How long a failed step of the rebuild command is retried before the command fails.
  RETRY_TIMEOUT_MS: durationMs.default(60_000),
})

// Settings for the service.
export const searchSettings = serviceSettings.extend({
  /** Origin in the URLs of uploaded pictures. Without this setting, the URLs are relative to the site's own origin. */
  PICTURES_ORIGIN: picturesOrigin,
  /**
   * Size of the pool for requests and jobs. Small, because searches are CPU-bound: more concurrent queries than the
   * database server has cores only slow each other down (docs/performance.md).
   */
  DATABASE_CONNECTIONS: serviceSettings.shape.DATABASE_CONNECTIONS.default(3),
  /** URL of a Redis server for the trending counts. Without it, trending terms are counted in Postgres. */
  REDIS_URL: z.string().min(1).optional(),
  /** How long a term stays in a search history after its last search. */
  SEARCH_HISTORY_RETENTION_MS: durationMs.default(180 * 24 * 3_600_000),
  /**
   * Maximum total number of searches stored for signed-out visitors. If it is exceeded, the oldest searches are
   * deleted.
   */
  MAX_SESSION_SEARCHES: z.coerce.number().int().min(1).default(500_000),
  /**
   * Maximum number of terms per hour that count for trending, of a user or, when signed out, of an IPv4 address or IPv6
   * network. Further searches are only stored in the history.
   */
  MAX_COUNTED_TERMS_PER_HOUR: z.coerce.number().int().min(1).default(60),
  /**
   * Interval of the sweeps that delete old searches, counts and unused words, write missing filter words, and count the
   * listings of facets.
   */
  SEARCH_SWEEP_INTERVAL_MS: durationMs.default(60_000),
})

export type SearchSettings = z.output<typeof searchSettings>

export function readConfig(): SearchSettings {
  return readSettings(searchSettings, process.env)
}

export function readCommandConfig(): z.output<typeof commandSettings> {
  return readSettings(commandSettings, process.env)
}

export function readRebuildConfig(): z.output<typeof rebuildSettings> {
  return readSettings(rebuildSettings, process.env)
}
