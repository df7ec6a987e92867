import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

const messagingSettings = serviceSettings.extend({
  CATALOG_INTERNAL_URL: z.url(),
  // Deadlines of the internal calls.
  READ_LISTING_MS: durationMs.default(1000),
  READ_PROFILES_MS: durationMs.default(250),
  /** How long a person's name and picture are used again. */
  KEEP_PROFILES_MS: durationMs.default(60_000),
})

export type MessagingSettings = z.output<typeof messagingSettings>

export function readConfig(): MessagingSettings {
  return readSettings(messagingSettings, process.env)
}
