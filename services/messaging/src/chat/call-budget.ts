import { counter, startAtZero } from '@marketplace/kit/telemetry/metrics.ts'
import OpenAI from 'openai'

const outcomes = ['ok', 'error', 'no_response', 'over_budget'] as const

const calls = counter(
  'assistant_calls_total',
  'Calls to the provider of the help chat, by outcome; each retry is a call. Those over budget were not sent.',
  ['outcome'],
)

const errorCode = 'hourly_budget_used_up'

/**
 * Returns a client of the provider that sends a request only if `countCall` returns true. Otherwise, or if `countCall`
 * fails, the call fails.
 */
export function limitCalls(provider: OpenAI, countCall: () => Promise<boolean>): OpenAI {
  startAtZero(
    calls,
    outcomes.map((outcome) => ({ outcome })),
  )
  // The budget is checked in `fetch`, because the provider charges for each retry, and the SDK retries by itself.
  return provider.withOptions({
    async fetch(input, init) {
      if (await countCall()) return send(input, init)
      calls.inc({ outcome: 'over_budget' })
      // A response instead of an exception, because the SDK retries after an exception.
      return Response.json({ error: { code: errorCode } }, { status: 429, headers: { 'x-should-retry': 'false' } })
    },
  })
}

/** Returns whether a call was not sent because the hour's budget is used up. */
export function isOverBudget(error: unknown): boolean {
  return error instanceof OpenAI.RateLimitError && error.code === errorCode
}

// Sends a request of the SDK, whose address is OPENAI_BASE_URL.
const send: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init)
    calls.inc({ outcome: response.ok ? 'ok' : 'error' })
    return response
  } catch (error) {
    calls.inc({ outcome: 'no_response' })
    throw error
  }
}
