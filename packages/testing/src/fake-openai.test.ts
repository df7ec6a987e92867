import { describe, expect, it } from 'vitest'
import { completeChat, rejectChat, retrieveModel, type ChatRequest } from './fake-openai.ts'

const request = (model: string, more: Partial<ChatRequest> & Record<string, unknown> = {}): ChatRequest => ({
  model,
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
})
const error = (message: string, param: string | null, code: string | null) => ({
  error: { message, type: 'invalid_request_error', param, code },
})

// The expected messages are OpenAI's, as quoted in these GitHub issues: openai/openai-agents-python#458,
// griptape-ai/ComfyUI-Griptape#312, egoist/chatwise-releases#1257 and davidmigloz/langchain_dart#712.
describe('the fake OpenAI API', () => {
  it.each([
    ['gpt-6-luna', {}],
    ['gpt-6-luna', { reasoning_effort: 'none', max_completion_tokens: 10, temperature: 0.2 }],
    ['gpt-6.1-sol', { reasoning_effort: 'low' }],
    ['gpt-4.1-mini', { max_tokens: 10, temperature: 0.2 }],
  ] as const)('accepts a request to %s with %j', (model, more) => {
    expect(rejectChat(request(model, more))).toBeNull()
  })

  it.each([
    [
      'gpt-3',
      {},
      404,
      error('The model `gpt-3` does not exist or you do not have access to it.', null, 'model_not_found'),
    ],
    [
      'gpt-6-luna',
      { max_tokens: 10 },
      400,
      error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      ),
    ],
    [
      'gpt-6.1-sol',
      { reasoning_effort: 'none' },
      400,
      error(
        "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', 'high', 'xhigh'.",
        'reasoning_effort',
        'unsupported_value',
      ),
    ],
    [
      'gpt-4.1-mini',
      { reasoning_effort: 'none' },
      400,
      error('Unrecognized request argument supplied: reasoning_effort', null, null),
    ],
    ['gpt-6-luna', { question: 'x' }, 400, error('Unrecognized request argument supplied: question', null, null)],
    [
      'gpt-6-luna',
      { temperature: 0.2 },
      400,
      error(
        "Unsupported parameter: 'temperature' is not supported with this model.",
        'temperature',
        'unsupported_parameter',
      ),
    ],
  ] as const)('rejects a request to %s with %j (%d)', (model, more, status, body) => {
    expect(rejectChat(request(model, more))).toEqual({ status, body })
  })

  it('uses the token limit for reasoning first', () => {
    const replyFor = (more: Partial<ChatRequest>) =>
      completeChat(request('gpt-6-luna', { max_completion_tokens: 1000, ...more }), 'One two three.').body
    const choice = (content: string, finish_reason: string) => ({ choices: [{ finish_reason, message: { content } }] })
    expect(replyFor({ reasoning_effort: 'none' })).toMatchObject(choice('One two three.', 'stop'))
    expect(replyFor({ reasoning_effort: 'none', max_completion_tokens: 2 })).toMatchObject(choice('One two ', 'length'))
    expect(replyFor({})).toMatchObject(choice('', 'length'))
  })

  it('returns models with and without a shutdown date and rejects unknown ones', () => {
    expect(retrieveModel('gpt-6-luna')).toMatchObject({ status: 200, body: { object: 'model', shutdown_date: null } })
    expect(retrieveModel('gpt-4.1-mini').body).toMatchObject({ shutdown_date: '2027-01-14' })
    expect(retrieveModel('gpt-3')).toEqual({
      status: 404,
      body: error("The model 'gpt-3' does not exist", 'model', 'model_not_found'),
    })
  })
})
