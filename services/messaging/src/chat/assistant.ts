import type { Log } from '@marketplace/kit/log.ts'
import OpenAI from 'openai'
import type { MessagingSettings } from '../config.ts'
import type { Article } from './articles.ts'
import { leaksRules, promptFor, type Question } from './prompt.ts'

/** Answers a question from these articles; null when there is no answer worth showing. */
export type Assistant = (question: Question, articles: readonly Article[]) => Promise<string | null>

// What one answer may cost and show.
const maxTokens = 500
const maxReply = 4000

/** The provider of the settings; null without a key. */
export function openAssistant(settings: MessagingSettings, log: Log): Assistant | null {
  if (settings.OPENAI_API_KEY === undefined) return null
  const client = openClient(settings, settings.OPENAI_API_KEY)
  let running = 0
  return async (question, articles) => {
    // Above that the articles answer at once: a provider that hangs, or a crowd, costs no more than this.
    if (running >= settings.CHAT_CALLS_AT_ONCE) return null
    running += 1
    try {
      const completion = await client.chat.completions.create(
        { model: settings.OPENAI_MODEL, max_completion_tokens: maxTokens, messages: promptFor(question, articles) },
        // The SDK's own time limit ends with the headers and starts anew with each try.
        { signal: AbortSignal.timeout(settings.CHAT_MS) },
      )
      return worthShowing(completion.choices[0]?.message.content)
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.name : 'unknown' }, 'the assistant did not answer')
      return null
    } finally {
      running -= 1
    }
  }
}

// Whatever the SDK would read from the environment is said here: settings come from config.ts.
function openClient({ OPENAI_BASE_URL, CHAT_MS }: MessagingSettings, apiKey: string): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: OPENAI_BASE_URL,
    organization: null,
    project: null,
    webhookSecret: null,
    timeout: CHAT_MS,
    maxRetries: 1,
    logLevel: 'off',
  })
}

function worthShowing(content: unknown): string | null {
  if (typeof content !== 'string') return null
  const reply = Array.from(content.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, ''))
    .slice(0, maxReply)
    .join('')
    .trim()
  return reply === '' || leaksRules(reply) ? null : reply
}
