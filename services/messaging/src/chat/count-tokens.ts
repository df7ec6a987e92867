import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import { z } from 'zod'

const tokens = counter('assistant_tokens_total', 'Tokens that the provider of the help chat reported, by kind.', [
  'kind',
])

const count = z.int().nonnegative()
const Completion = z.object({ usage: z.object({ prompt_tokens: count, completion_tokens: count }) })

/** Adds the tokens of a completion to the metric. OpenAI-compatible endpoints may report none. */
export function countTokens(completion: unknown): void {
  const { data } = Completion.safeParse(completion)
  if (!data) return
  tokens.inc({ kind: 'prompt' }, data.usage.prompt_tokens)
  tokens.inc({ kind: 'completion' }, data.usage.completion_tokens)
}
