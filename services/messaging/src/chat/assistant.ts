import type { Log } from '@marketplace/kit/telemetry/log.ts'
import OpenAI from 'openai'
import type { MessagingSettings } from '../config.ts'
import type { Article } from './articles.ts'
import { buildPrompt, type Question } from './prompt.ts'
import { errorClass } from './provider.ts'
import { parseReply } from './reply.ts'

/** Returns a reply to the question based on these articles; null without a usable reply. */
export type Assistant = (question: Question, articles: readonly Article[]) => Promise<string | null>

type Request = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

// Includes reasoning tokens. The longest displayed reply uses about 1,000 tokens; the rest is for models that always
// reason.
const maxTokens = 2000

// Tried in this order. At its default effort, medium, gpt-6-luna uses 190 reasoning tokens and needs 9 s (medians of
// github.com/joonlab/gpt-6.1-sol-benchmark), more than CHAT_TIMEOUT_MS. gpt-6.1-sol rejects `none`, gpt-4.1 the parameter.
const efforts = ['none', 'low', undefined] as const

/** Returns the assistant that uses this provider. */
export function createAssistant(provider: OpenAI, settings: MessagingSettings, log: Log): Assistant {
  const complete = withLowestEffort(provider, log)
  let running = 0
  return async (question, articles) => {
    // Limits concurrent calls, so that a slow provider or high load cannot exhaust this process. Further questions get
    // a help article.
    if (running >= settings.CHAT_CALLS_AT_ONCE) return null
    running += 1
    try {
      const request = {
        model: settings.OPENAI_MODEL,
        max_completion_tokens: maxTokens,
        messages: buildPrompt(question, articles),
      } satisfies Request
      // The SDK's own timeout ends with the response headers and restarts with each retry.
      const reply = parseReply(await complete(request, AbortSignal.timeout(settings.CHAT_TIMEOUT_MS)))
      if (reply.text === null) log.warn({ reason: reply.reason }, 'assistant reply unavailable')
      return reply.text
    } catch (error) {
      log.warn({ reason: errorClass(error) }, 'assistant reply unavailable')
      return null
    } finally {
      running -= 1
    }
  }
}

// The provider reports unsupported efforts only in the error that rejects one. A rejected effort is not sent again.
function withLowestEffort(provider: OpenAI, log: Log) {
  let lowest = 0
  return async (request: Request, signal: AbortSignal): Promise<OpenAI.ChatCompletion> => {
    for (let attempt = lowest; ; attempt += 1) {
      const withEffort = { ...request, reasoning_effort: efforts[attempt] } satisfies Request
      try {
        return await provider.chat.completions.create(withEffort, { signal })
      } catch (error) {
        if (attempt + 1 === efforts.length || !isAboutEffort(error)) throw error
        lowest = Math.max(lowest, attempt + 1)
        log.warn({ model: request.model, effort: efforts[attempt] }, 'reasoning effort rejected by model')
      }
    }
  }
}

// For a model without reasoning, `param` and `code` of the error are null, but the message always contains the
// parameter name.
function isAboutEffort(error: unknown): boolean {
  return error instanceof OpenAI.BadRequestError && error.message.includes('reasoning_effort')
}
