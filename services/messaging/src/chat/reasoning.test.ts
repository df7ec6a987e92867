import { completeChat, completion } from '@marketplace/testing/fake-openai.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAssistant } from './assistant.ts'
import { createProvider } from './provider.ts'
import { startFakeOpenAi, type FakeOpenAi } from '../testing/fake-openai.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const fees = 'Which fees are there?'
const feesArticle = 'The marketplace fee is 5 % of the item price'
// About 1,000 tokens, the most that a displayed reply uses.
const longest = 'The marketplace fee is five percent of the item price. '.repeat(72).trim()

let harness: Harness
let provider: FakeOpenAi

beforeAll(async () => {
  harness = await createHarness()
  provider = await startFakeOpenAi()
})
afterAll(async () => {
  await harness.close()
  await provider.stop()
})
beforeEach(() => {
  provider.requests.length = 0
  provider.rejected.length = 0
  provider.respond = async (request) => completeChat(request, longest)
})

const assistedBy = (model: string): Service =>
  harness.createInstance({ OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: provider.baseUrl, OPENAI_MODEL: model })

async function chat(message: string, at: Service): Promise<string> {
  const { status, body } = await harness.request<{ response: string }>('POST', '/api/chat', { body: { message }, at })
  expect(status).toBe(200)
  return body.response
}

describe('the requested reasoning effort', () => {
  it('CHAT-05 is none for the default model, so that reasoning uses no tokens of the reply', async () => {
    expect(await chat(fees, assistedBy('gpt-6-luna'))).toBe(longest)
    expect(provider.requests.map(({ reasoning_effort }) => reasoning_effort)).toEqual(['none'])
    expect(provider.rejected).toEqual([])
  })

  it.each([
    ['gpt-6.1-sol', ['none'], 'low'],
    ['gpt-4.1-mini', ['none', 'low'], undefined],
  ])(
    'CHAT-05 is the lowest that another model accepts, determined once per process (%s)',
    async (model, rejected, effort) => {
      const assisted = assistedBy(model)
      expect(await chat(fees, assisted)).toBe(longest)
      expect(await chat(fees, assisted)).toBe(longest)
      expect(provider.rejected.map(({ reasoning_effort }) => reasoning_effort)).toEqual(rejected)
      expect(provider.requests.map(({ reasoning_effort }) => reasoning_effort)).toEqual([effort, effort])
    },
  )

  it('CHAT-05 is also determined when the first requests are concurrent', async () => {
    const settings = { ...harness.settings, OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: provider.baseUrl }
    const client = createProvider(settings)
    if (!client) throw new Error('The provider has a key.')
    const assistant = createAssistant(client, { ...settings, OPENAI_MODEL: 'gpt-6.1-sol' }, harness.service.log)
    const sendQuestion = () => assistant({ message: fees, history: [] }, [])
    const replies = await Promise.all(Array.from({ length: 8 }, sendQuestion))
    expect(provider.rejected).toHaveLength(8)
    expect([...replies, await sendQuestion()]).toEqual(Array(9).fill(longest))
    expect(provider.requests.map(({ reasoning_effort }) => reasoning_effort)).toEqual(Array(9).fill('low'))
  })
})

describe('a completion without a usable reply', () => {
  it('P7 is replaced by a help article when the model is unknown', async () => {
    expect(await chat(fees, assistedBy('gpt-3'))).toContain(feesArticle)
    expect(provider.rejected).toHaveLength(1)
  })

  it.each([
    ['reasoning uses all tokens', completion({ content: '' }, 'length')],
    ['the model refuses', completion({ refusal: "I'm sorry, I can't help with that." })],
    ['a filter stops the model', completion({ content: 'The fee' }, 'content_filter')],
  ])('CHAT-05 P7 is replaced by a help article when %s, or by the fallback text without one', async (_what, body) => {
    provider.respond = async () => ({ body })
    const assisted = assistedBy('gpt-6-luna')
    expect(await chat(fees, assisted)).toContain(feesArticle)
    // CHAT-07: the page adds contact details to this sentence.
    expect(await chat('zzz', assisted)).toBe(
      "I am sorry, I don't know. Please try other words, or choose one of the topics.",
    )
  })

  it('CHAT-05 is shown up to its last complete sentence when it is truncated', async () => {
    provider.respond = async () => ({ body: completion({ content: longest.slice(0, -10) }, 'length') })
    expect(await chat(fees, assistedBy('gpt-6-luna'))).toBe(longest.slice(0, longest.lastIndexOf(' The')))
  })
})
