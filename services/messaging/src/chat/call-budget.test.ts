import { completion } from '@marketplace/testing/fake-openai.ts'
import { registry } from '@marketplace/kit/telemetry/metrics.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messagingSettings, type MessagingSettings } from '../config.ts'
import { startFakeOpenAi, type FakeOpenAi } from '../testing/fake-openai.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { createAssistant } from './assistant.ts'
import { limitCalls } from './call-budget.ts'
import { createProvider } from './provider.ts'

const fees = 'Which fees are there?'
const feesArticle = 'The marketplace fee is 5 % of the item price'

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
beforeEach(async () => {
  await harness.db.deleteFrom('assistant_budget').execute()
  for (const name of ['assistant_calls_total', 'assistant_tokens_total']) registry.getSingleMetric(name)?.reset()
  provider.requests.length = 0
  provider.rejected.length = 0
  provider.respond = async () => ({ body: completion({ content: 'Five percent.' }) })
})

const assistedWith = (changes: Partial<MessagingSettings> = {}): Service =>
  harness.createInstance({ OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: provider.baseUrl, ...changes })

async function chat(at: Service): Promise<string> {
  const { status, body } = await harness.request<{ response: string }>('POST', '/api/chat', {
    body: { message: fees },
    at,
  })
  expect(status).toBe(200)
  return body.response
}

/** Simulates that `time` passes: moves the start of the budget's hour into the past. */
async function wait(time: string): Promise<void> {
  await sql`update assistant_budget set started_at = started_at - ${time}::interval`.execute(harness.db)
}

const countReplies = (replies: readonly string[]) => replies.filter((reply) => reply === 'Five percent.').length

async function readCounter(name: string, label: string): Promise<Record<string, number>> {
  const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {}
  return Object.fromEntries(values.map(({ labels, value }) => [labels[label], value]))
}

describe('the budget of calls to the provider', () => {
  it('R6 is 1,000 an hour over all instances; the help articles are returned above it', async () => {
    const { MAX_CHAT_CALLS_PER_HOUR: max } = messagingSettings.pick({ MAX_CHAT_CALLS_PER_HOUR: true }).parse({})
    expect([max, harness.settings.MAX_CHAT_CALLS_PER_HOUR]).toEqual([1000, 1000])
    const instances = [assistedWith(), assistedWith()]
    const chatAtEach = () => Promise.all(instances.map(chat))
    const first = await chatAtEach()
    // Counts calls that were not made, so that the test need not make 1,000.
    await harness.db
      .updateTable('assistant_budget')
      .set({ calls: max - 2 })
      .execute()
    expect(countReplies([...first, ...(await chatAtEach())])).toBe(4)
    for (const reply of await chatAtEach()) expect(reply).toContain(feesArticle)
    expect(provider.requests).toHaveLength(4)
  })

  it('R6 is never exceeded when 50 concurrent questions to two instances reach its end', async () => {
    const settings = { MAX_CHAT_CALLS_PER_HOUR: 10, CHAT_CALLS_AT_ONCE: 50 }
    const instances = [assistedWith(settings), assistedWith(settings)]
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => chat(instances[n % 2] ?? harness.service)))
    expect([countReplies(replies), provider.requests.length]).toEqual([10, 10])
    expect(replies.filter((reply) => reply.startsWith(feesArticle))).toHaveLength(40)
  })

  it('R6 is available again an hour after the first call, and not before', async () => {
    const assisted = assistedWith({ MAX_CHAT_CALLS_PER_HOUR: 1 })
    expect(await chat(assisted)).toBe('Five percent.')
    await wait('59 minutes')
    expect(await chat(assisted)).toContain(feesArticle)
    await wait('1 minute')
    expect([await chat(assisted), (await chat(assisted)).slice(0, feesArticle.length)]).toEqual([
      'Five percent.',
      feesArticle,
    ])
    expect(provider.requests).toHaveLength(2)
  })

  it('R6 P7 counts failed calls and each retry of the SDK', async () => {
    provider.respond = async () => ({ status: 500, body: { error: { message: 'no' } } })
    const assisted = assistedWith({ MAX_CHAT_CALLS_PER_HOUR: 3 })
    const counts: number[] = []
    for (let question = 0; question < 3; question += 1) {
      expect(await chat(assisted)).toContain(feesArticle)
      counts.push(provider.requests.length)
    }
    expect(counts).toEqual([2, 3, 3])
  })

  it('R6 counts calls that the provider rejects because of their reasoning effort', async () => {
    const assisted = assistedWith({ MAX_CHAT_CALLS_PER_HOUR: 2, OPENAI_MODEL: 'gpt-6.1-sol' })
    expect([await chat(assisted), (await chat(assisted)).slice(0, feesArticle.length)]).toEqual([
      'Five percent.',
      feesArticle,
    ])
    expect([provider.rejected.length, provider.requests.length]).toEqual([1, 1])
  })

  it('R6 allows no call that cannot be counted', async () => {
    const client = createProvider({ ...harness.settings, OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: provider.baseUrl })
    if (!client) throw new Error('The provider has a key.')
    const limited = limitCalls(client, async () => Promise.reject(new Error('The database is unavailable.')))
    const assistant = createAssistant(limited, harness.settings, harness.service.log)
    expect(await assistant({ message: fees, history: [] }, [])).toBeNull()
    expect(provider.requests).toEqual([])
  })

  it.each(['0', '-1', '1.5', 'many'])('R6 is a whole number above 0, not %s', (value) => {
    const { error } = messagingSettings.pick({ MAX_CHAT_CALLS_PER_HOUR: true }).safeParse({
      MAX_CHAT_CALLS_PER_HOUR: value,
    })
    expect(error?.issues.map(({ path }) => path)).toEqual([['MAX_CHAT_CALLS_PER_HOUR']])
  })
})

describe('the metrics of the assistant', () => {
  it('count its calls by outcome, from 0', async () => {
    const assisted = assistedWith({ MAX_CHAT_CALLS_PER_HOUR: 3 })
    expect(await readCounter('assistant_calls_total', 'outcome')).toEqual({
      ok: 0,
      error: 0,
      no_response: 0,
      over_budget: 0,
    })
    await chat(assisted)
    provider.respond = async () => ({ status: 400, body: { error: { message: 'no' } } })
    await chat(assisted)
    await chat(assistedWith({ MAX_CHAT_CALLS_PER_HOUR: 3, OPENAI_BASE_URL: 'http://127.0.0.1:1' }))
    expect(await readCounter('assistant_calls_total', 'outcome')).toEqual({
      ok: 1,
      error: 1,
      no_response: 1,
      // The retry of the call that got no response.
      over_budget: 1,
    })
  })

  it('count the tokens that the provider reports, and ignore an invalid report', async () => {
    const body = completion({ content: 'Five percent.' })
    const assisted = assistedWith()
    const usage = { prompt_tokens: 700, completion_tokens: 30, total_tokens: 730 }
    for (const reported of [usage, undefined, null, 'many', { ...usage, prompt_tokens: -1 }, usage]) {
      provider.respond = async () => ({ body: { ...body, usage: reported } })
      expect(await chat(assisted)).toBe('Five percent.')
    }
    expect(await readCounter('assistant_tokens_total', 'kind')).toEqual({ prompt: 1400, completion: 60 })
  })
})
