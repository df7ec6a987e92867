import OpenAI from 'openai'
import type { MessagingSettings } from '../config.ts'

/** Returns a client for the configured provider, or null without an API key. */
export function createProvider({ OPENAI_API_KEY, OPENAI_BASE_URL, CHAT_TIMEOUT_MS }: MessagingSettings): OpenAI | null {
  if (OPENAI_API_KEY === undefined) return null
  // Every option is set, because the SDK would read missing options from environment variables that config.ts does not
  // check.
  return new OpenAI({
    apiKey: OPENAI_API_KEY,
    adminAPIKey: null,
    baseURL: OPENAI_BASE_URL,
    organization: null,
    project: null,
    webhookSecret: null,
    timeout: CHAT_TIMEOUT_MS,
    maxRetries: 1,
    logLevel: 'off',
  })
}

/**
 * Returns the class name of a provider error for the log. The error's message is not logged, because it might quote the
 * visitor's text.
 */
export function errorClass(error: unknown): string {
  // The name of the class is used, because `error.name` is "Error" for every SDK error.
  return error instanceof Error ? error.constructor.name : typeof error
}
