import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

const messagingSettings = serviceSettings.extend({
  CATALOG_INTERNAL_URL: z.url(),
  // Deadlines of the internal calls.
  READ_LISTING_MS: durationMs.default(1000),
  READ_PROFILES_MS: durationMs.default(250),
  /** How long a person's name and picture are used again. */
  KEEP_PROFILES_MS: durationMs.default(60_000),
  /** Without a key the help articles answer alone. */
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.openai.com/v1'),
  OPENAI_MODEL: z.string().min(1).default('gpt-4.1-mini'),
  /** For the assistant's answer, second try included; then the articles answer. */
  CHAT_MS: durationMs.default(4000),
  CHAT_CALLS_AT_ONCE: z.coerce.number().int().positive().default(8),
})

export type MessagingSettings = z.output<typeof messagingSettings>

export function readConfig(): MessagingSettings {
  return readSettings(messagingSettings, process.env)
}
