import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import type { OpenAI } from 'openai'
import { z } from 'zod'

export const messagingSettings = serviceSettings.extend({
  // URL of the catalog service's internal port.
  CATALOG_INTERNAL_URL: z.url(),
  // Timeout of the call that reads a listing from the catalog service.
  LISTINGS_TIMEOUT_MS: durationMs.default(1000),
  // Timeout of the call that reads profiles from the users service.
  PROFILES_TIMEOUT_MS: durationMs.default(250),
  /** Maximum number of conversations that one person can start in 24 hours. */
  MAX_CONVERSATIONS_PER_DAY: z.coerce.number().int().positive().default(50),
  /** Maximum number of messages that one person can send in 24 hours, in all conversations. */
  MAX_MESSAGES_PER_DAY: z.coerce.number().int().positive().default(500),
  /** How long names and pictures of users are cached. */
  PROFILES_TTL_MS: durationMs.default(60_000),
  /** API key for the provider of the language model. Without a key, the chat replies only with help articles. */
  OPENAI_API_KEY: z.string().min(1).optional(),
  /** URL of the provider's API, which must be compatible with OpenAI's. */
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.openai.com/v1'),
  /** Name of the language model at the provider. */
  OPENAI_MODEL: z
    .string()
    .min(1)
    .default('gpt-6-luna' satisfies OpenAI.ChatModel),
  /**
   * Deadline, including retries, for checking that the provider offers OPENAI_MODEL. The check runs once after the
   * service has started.
   */
  MODEL_CHECK_TIMEOUT_MS: durationMs.default(60_000),
  /**
   * Deadline for the assistant's reply, including retries. After the deadline, the visitor gets a help article instead.
   */
  CHAT_TIMEOUT_MS: durationMs.default(4000),
  /** Maximum number of concurrent requests to the assistant in a process. Above it, visitors get help articles. */
  CHAT_CALLS_AT_ONCE: z.coerce.number().int().positive().default(8),
  /**
   * Maximum number of calls to the provider in an hour, in all processes together. Failed calls and retries count. Above
   * it, visitors get help articles until the hour is over. 0 is invalid; to make no calls, omit OPENAI_API_KEY.
   */
  MAX_CHAT_CALLS_PER_HOUR: z.coerce.number().int().positive().default(1000),
})

export type MessagingSettings = z.output<typeof messagingSettings>

export function readConfig(): MessagingSettings {
  return readSettings(messagingSettings, process.env)
}
