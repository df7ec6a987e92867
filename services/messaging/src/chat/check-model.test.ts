import { eventually } from '@marketplace/testing/eventually.ts'
import { retrieveModel } from '@marketplace/testing/fake-openai.ts'
import { registry } from '@marketplace/kit/telemetry/metrics.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startFakeOpenAi, type FakeOpenAi } from '../testing/fake-openai.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { checkModel } from './check-model.ts'
import { createProvider } from './provider.ts'

const metric = 'assistant_model_shutdown_timestamp_seconds'
const warn = vi.fn()
const info = vi.fn()

let harness: Harness
let provider: FakeOpenAi
let requestedModels: string[]

beforeAll(async () => {
  harness = await createHarness()
  provider = await startFakeOpenAi()
})
afterAll(async () => {
  await harness.close()
  await provider.stop()
})
beforeEach(() => {
  warn.mockReset()
  info.mockReset()
  registry.getSingleMetric(metric)?.reset()
  requestedModels = []
  provider.requests.length = 0
  provider.respondToModel = async (id) => {
    requestedModels.push(id)
    return retrieveModel(id)
  }
})

const withKey = () => ({ OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: provider.baseUrl })

async function check(model: string, now: string, { timeoutMs = 60_000, stopping = new AbortController().signal } = {}) {
  const client = createProvider({ ...harness.settings, ...withKey() })
  if (!client) throw new Error('The provider has a key.')
  await checkModel({ provider: client, model, timeoutMs, stopping, log: { warn, info } }, new Date(now))
}

async function shutdowns(): Promise<[unknown, number][]> {
  const { values = [] } = (await registry.getSingleMetric(metric)?.get()) ?? {}
  return values.map(({ labels, value }) => [labels.model, value])
}

describe('the model check', () => {
  it('reports nothing for a model without a shutdown date', async () => {
    await check('gpt-6-luna', '2026-11-23')
    expect([requestedModels, await shutdowns(), warn.mock.calls]).toEqual([['gpt-6-luna'], [], []])
  })

  it.each([
    ['2026-10-16T00:00:00Z', 'info'],
    ['2026-10-16T00:00:01Z', 'warn'],
    ['2027-02-01T00:00:00Z', 'warn'],
  ] as const)('exports a shutdown date, and warns during the last 90 days before it (%s: %s)', async (now, level) => {
    await check('gpt-4.1-mini', now)
    expect(await shutdowns()).toEqual([['gpt-4.1-mini', Date.parse('2027-01-14') / 1000]])
    const fields = { model: 'gpt-4.1-mini', shutdownDate: '2027-01-14' }
    expect({ warn, info }[level].mock.calls).toEqual([[fields, 'assistant model shutdown announced']])
    expect(warn.mock.calls.length + info.mock.calls.length).toBe(1)
  })

  it('warns about an unknown model, and exports the time of the check', async () => {
    await check('gpt-3', '2026-11-23T10:00:00Z')
    expect(await shutdowns()).toEqual([['gpt-3', Date.parse('2026-11-23T10:00:00Z') / 1000]])
    expect(warn.mock.calls).toEqual([[{ model: 'gpt-3' }, 'assistant model not found']])
  })

  it('retries while the provider fails', async () => {
    provider.respondToModel = async (id) => {
      requestedModels.push(id)
      return requestedModels.length < 3 ? { status: 503, body: '' } : retrieveModel(id)
    }
    await check('gpt-4.1-mini', '2026-11-23')
    expect([requestedModels.length, await shutdowns()]).toEqual([
      3,
      [['gpt-4.1-mini', Date.parse('2027-01-14') / 1000]],
    ])
  })

  it.each([
    ['hangs', () => new Promise<never>(() => undefined), 'APIUserAbortError', { timeoutMs: 300 }],
    ['rejects the key', async () => ({ status: 401, body: {} }), 'AuthenticationError', {}],
    ['sends no JSON', async () => ({ body: '<html>' }), 'SyntaxError', {}],
    ['sends an invalid date', async () => ({ body: { shutdown_date: 'soon' } }), 'ZodError', {}],
  ])('warns and exports nothing when the provider %s', async (_what, respondToModel, reason, options) => {
    provider.respondToModel = respondToModel
    await check('gpt-6-luna', '2026-11-23', options)
    expect([await shutdowns(), warn.mock.calls]).toEqual([
      [],
      [[{ model: 'gpt-6-luna', reason }, 'assistant model check failed']],
    ])
  })

  it('logs nothing when the process stops', async () => {
    const stopping = new AbortController()
    provider.respondToModel = (id) => {
      requestedModels.push(id)
      stopping.abort()
      return new Promise(() => undefined)
    }
    await check('gpt-6-luna', '2026-11-23', { stopping: stopping.signal })
    expect([requestedModels.length, warn.mock.calls]).toEqual([1, []])
  })
})

describe('a process with an assistant', () => {
  it('requests its model after its start, and serves requests while the provider hangs', async () => {
    provider.respondToModel = (id) => {
      requestedModels.push(id)
      return new Promise(() => undefined)
    }
    const service = harness.createInstance({ ...withKey(), CHAT_TIMEOUT_MS: 600_000, MODEL_CHECK_TIMEOUT_MS: 600_000 })
    await service.start()
    expect((await service.internalApp.inject('/readyz')).statusCode).toBe(200)
    const body = { message: 'Which fees are there?' }
    expect(await harness.request('POST', '/api/chat', { body, at: service })).toEqual({
      status: 200,
      body: { response: 'Sure.' },
    })
    await eventually(() => requestedModels[0] === 'gpt-6-luna')
  })

  it('sends no request without an API key', async () => {
    const service = harness.createInstance({ OPENAI_BASE_URL: provider.baseUrl })
    await service.start()
    await harness.request('POST', '/api/chat', { body: { message: 'Which fees are there?' }, at: service })
    expect([requestedModels, provider.requests]).toEqual([[], []])
  })
})
