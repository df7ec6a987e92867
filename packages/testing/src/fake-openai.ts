import type OpenAI from 'openai'

export type ChatRequest = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming
type Effort = NonNullable<OpenAI.ReasoningEffort>

export interface FakeModel {
  /** Accepted reasoning efforts; empty for a model without reasoning. The default is `medium`. */
  efforts: readonly Effort[]
  shutdownDate: string | null
}

export interface FakeResponse {
  status: number
  body: object
}

// The models that the fake API knows. Source, as of 2026-11-23: developers.openai.com/api/docs/models and /deprecations.
const models: Readonly<Record<string, FakeModel>> = {
  'gpt-6-luna': { efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], shutdownDate: null },
  'gpt-6.1-sol': { efforts: ['low', 'medium', 'high', 'xhigh'], shutdownDate: null },
  'gpt-4.1-mini': { efforts: [], shutdownDate: '2027-01-14' },
} satisfies Partial<Record<OpenAI.ChatModel, FakeModel>>

// Parameters that this project sends; the API accepts more.
const accepted = new Set<string>([
  'model',
  'messages',
  'max_completion_tokens',
  'max_tokens',
  'reasoning_effort',
  'temperature',
  'top_p',
] satisfies (keyof ChatRequest)[])

const reasoningTokens: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 50,
  low: 600,
  medium: 2500,
  high: 5000,
  xhigh: 10_000,
  max: 20_000,
}

/** Returns the response of OpenAI's `GET /v1/models/{model}`. */
export function retrieveModel(id: string): FakeResponse {
  const model = models[id]
  if (!model) return rejection(404, `The model '${id}' does not exist`, 'model', 'model_not_found')
  const shutdown_date = model.shutdownDate
  const body = { id, object: 'model', created: 1_790_035_200, owned_by: 'system', shutdown_date } satisfies OpenAI.Model
  return { status: 200, body }
}

/** Returns the error response of `POST /v1/chat/completions` for a request that OpenAI rejects, otherwise null. */
export function rejectChat(request: ChatRequest): FakeResponse | null {
  const model = models[request.model]
  if (!model) {
    const message = `The model \`${request.model}\` does not exist or you do not have access to it.`
    return rejection(404, message, null, 'model_not_found')
  }
  const unknown = Object.keys(request).find((name) => !accepted.has(name))
  if (unknown) return unrecognized(unknown)
  return model.efforts.length === 0 ? rejectWithoutReasoning(request) : rejectWithReasoning(request, model.efforts)
}

function rejectWithoutReasoning({ reasoning_effort }: ChatRequest): FakeResponse | null {
  return reasoning_effort === undefined ? null : unrecognized('reasoning_effort')
}

function rejectWithReasoning(request: ChatRequest, efforts: readonly Effort[]): FakeResponse | null {
  if ('max_tokens' in request) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    return rejection(400, message, 'max_tokens', 'unsupported_parameter')
  }
  const { reasoning_effort: effort = 'medium' } = request
  if (effort === null || !efforts.includes(effort)) {
    const supported = efforts.map((each) => `'${each}'`).join(', ')
    const message = `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. Supported values are: ${supported}.`
    return rejection(400, message, 'reasoning_effort', 'unsupported_value')
  }
  const sampling = effort === 'none' ? undefined : (['temperature', 'top_p'] as const).find((name) => name in request)
  if (!sampling) return null
  const message = `Unsupported parameter: '${sampling}' is not supported with this model.`
  return rejection(400, message, sampling, 'unsupported_parameter')
}

/**
 * Returns a completion with `reply`. Reasoning uses the request's token limit first; then each word of the reply counts as
 * one token.
 */
export function completeChat(request: ChatRequest, reply: string): FakeResponse {
  const isReasoning = (models[request.model]?.efforts.length ?? 0) > 0
  const reasoning = isReasoning ? reasoningTokens[request.reasoning_effort ?? 'medium'] : 0
  const limit = request.max_completion_tokens ?? Infinity
  const words = reply.split(/(?<= )/)
  const available = Math.max(0, limit - reasoning)
  const isCut = words.length > available
  const message = { content: words.slice(0, available).join('') }
  return { status: 200, body: completion(message, isCut ? 'length' : 'stop') }
}

type Choice = OpenAI.ChatCompletion['choices'][number]

/** Returns a completion in OpenAI's response format. */
export function completion(
  message: Partial<OpenAI.ChatCompletionMessage>,
  finish_reason: Choice['finish_reason'] = 'stop',
): OpenAI.ChatCompletion {
  const choice = { index: 0, finish_reason, logprobs: null }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_035_200,
    model: 'gpt-6-luna',
    choices: [{ ...choice, message: { role: 'assistant', content: null, refusal: null, ...message } }],
  }
}

function unrecognized(name: string): FakeResponse {
  return rejection(400, `Unrecognized request argument supplied: ${name}`, null, null)
}

function rejection(status: number, message: string, param: string | null, code: string | null): FakeResponse {
  return { status, body: { error: { message, type: 'invalid_request_error', param, code } } }
}
