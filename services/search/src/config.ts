import {
  durationMs,
  listenSettings,
  readSettings,
  serviceSettings,
  type ServiceSettings,
} from '@marketplace/kit/config.ts'
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

export function readConfig(): ServiceSettings {
  return readSettings(serviceSettings, process.env)
}

export function readRebuildConfig(): z.output<typeof rebuildSettings> {
  return readSettings(rebuildSettings, process.env)
}
