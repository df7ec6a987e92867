import type { Log } from '@marketplace/kit/telemetry/log.ts'
import OpenAI from 'openai'
import type { MessagingSettings } from '../config.ts'
import type { Article } from './articles.ts'
import { buildPrompt, type Question } from './prompt.ts'
import { errorClass } from './provider.ts'
import { parseReply } from './reply.ts'

/** Returns a reply to the question that is based on these articles; null if there is no usable reply. */
export type Assistant = (question: Question, articles: readonly Article[]) => Promise<string | null>

type Request = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

// Maximum number of tokens of a reply, including reasoning tokens. The longest displayed reply uses about 1,000. The
// rest is for models that cannot reply without reasoning.
const maxTokens = 2000

// Values of `reasoning_effort`, tried in this order until the model accepts one. `none` is first, because reasoning
// takes too long: gpt-6-luna at its default effort needs 9 s (github.com/joonlab/gpt-6.1-sol-benchmark, median), more
// than CHAT_TIMEOUT_MS. gpt-6.1-sol rejects `none` and accepts `low`. gpt-4.1 rejects the parameter, so `undefined`
// omits it.
const efforts = ['none', 'low', undefined] as const

export function createAssistant(provider: OpenAI, settings: MessagingSettings, log: Log): Assistant {
  const complete = withLowestEffort(provider, log)
  let running = 0
  return async (question, articles) => {
    // Limits the concurrent calls to the provider, so that a slow provider or high load cannot exhaust this process.
    // Above the limit, a question gets a help article as reply.
    if (running >= settings.CHAT_CALLS_AT_ONCE) return null
    running += 1
    try {
      const request = {
        model: settings.OPENAI_MODEL,
        max_completion_tokens: maxTokens,
        messages: buildPrompt(question, articles),
      } satisfies Request
      // The call has its own deadline. The SDK's timeout is not sufficient, because it ends when the response headers
      // arrive and restarts with each retry.
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

// Returns a function that sends requests with the lowest reasoning effort that the model accepts. Which efforts a model
// rejects is known only from its error responses. An effort that was rejected once is not sent again.
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

// Returns whether the provider rejected the parameter `reasoning_effort`. Checks the error message, because the error's
// fields `param` and `code` are null if the model does not support reasoning.
function isAboutEffort(error: unknown): boolean {
  return error instanceof OpenAI.BadRequestError && error.message.includes('reasoning_effort')
}
