import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import type { OpenAI } from 'openai'
import { z } from 'zod'

const messagingSettings = serviceSettings.extend({
  CATALOG_INTERNAL_URL: z.url(),
  // Deadlines of calls to other services.
  LISTINGS_TIMEOUT_MS: durationMs.default(1000),
  PROFILES_TIMEOUT_MS: durationMs.default(250),
  /** New conversations that one person may start in 24 hours. */
  MAX_CONVERSATIONS_PER_DAY: z.coerce.number().int().positive().default(50),
  /** Messages that one person may send in 24 hours, in all conversations together. */
  MAX_MESSAGES_PER_DAY: z.coerce.number().int().positive().default(500),
  /** How long names and pictures of users are cached. */
  PROFILES_TTL_MS: durationMs.default(60_000),
  /** API key of the language model's provider. Without a key, the chat replies with help articles only. */
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.openai.com/v1'),
  OPENAI_MODEL: z
    .string()
    .min(1)
    .default('gpt-6-luna' satisfies OpenAI.ChatModel),
  /**
   * After its start, the service checks whether the provider offers OPENAI_MODEL. This is the deadline of the check,
   * for all attempts together.
   */
  MODEL_CHECK_TIMEOUT_MS: durationMs.default(60_000),
  /** Deadline of the assistant's reply, including a retry. After the deadline, the reply is a help article. */
  CHAT_TIMEOUT_MS: durationMs.default(4000),
  CHAT_CALLS_AT_ONCE: z.coerce.number().int().positive().default(8),
})

export type MessagingSettings = z.output<typeof messagingSettings>

export function readConfig(): MessagingSettings {
  return readSettings(messagingSettings, process.env)
}
