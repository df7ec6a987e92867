import type { Log } from '@marketplace/kit/telemetry/log.ts'
import OpenAI from 'openai'
import type { MessagingSettings } from '../config.ts'
import type { Article } from './articles.ts'
import { isOverBudget } from './call-budget.ts'
import { countTokens } from './count-tokens.ts'
import { buildPrompt, type Question } from './prompt.ts'
import { errorClass } from './provider.ts'
import { parseReply } from './reply.ts'

/** Returns a reply to the question, based on these articles. Returns null if there is no usable reply. */
export type Assistant = (question: Question, articles: readonly Article[]) => Promise<string | null>

type Request = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

// Maximum number of tokens in a reply, including reasoning, which some models cannot turn off. The longest displayed
// reply needs about 1,000 tokens.
const maxTokens = 2000

// Values of `reasoning_effort`, tried in this order until the model accepts one. `undefined` omits the parameter, which
// models without reasoning reject.
const efforts = ['none', 'low', undefined] as const

export function createAssistant(provider: OpenAI, settings: MessagingSettings, log: Log): Assistant {
  const complete = withLowestEffort(provider, log)
  let running = 0
  return async (question, articles) => {
    // The number of concurrent calls is limited, so that a slow provider or high load cannot exhaust this process.
    // Above the limit, the visitor gets a help article instead.
    if (running >= settings.CHAT_CALLS_AT_ONCE) return null
    running += 1
    try {
      const request = {
        model: settings.OPENAI_MODEL,
        max_completion_tokens: maxTokens,
        messages: buildPrompt(question, articles),
      } satisfies Request
      // The call has its own deadline, because the SDK's timeout restarts with each retry and does not cover the
      // response body.
      const completion = await complete(request, AbortSignal.timeout(settings.CHAT_TIMEOUT_MS))
      countTokens(completion)
      const reply = parseReply(completion)
      if (reply.text === null) log.warn({ reason: reply.reason }, 'assistant reply unavailable')
      return reply.text
    } catch (error) {
      log.warn({ reason: isOverBudget(error) ? 'over_budget' : errorClass(error) }, 'assistant reply unavailable')
      return null
    } finally {
      running -= 1
    }
  }
}

// Returns a function that sends requests with the lowest reasoning effort that the model accepts. With the default
// effort, gpt-6-luna takes longer than CHAT_TIMEOUT_MS: 9 s (median, github.com/joonlab/gpt-6.1-sol-benchmark).
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

// Returns whether the provider rejected the parameter `reasoning_effort`. Reads the error message, because the error's
// fields `param` and `code` are null if the model does not support reasoning.
function isAboutEffort(error: unknown): boolean {
  return error instanceof OpenAI.BadRequestError && error.message.includes('reasoning_effort')
}
