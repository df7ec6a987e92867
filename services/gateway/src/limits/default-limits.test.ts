import { randomUser } from '@marketplace/testing/keys.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { gatewaySettings, type GatewayConfig } from '../config.ts'
import { postJson, sendRequest } from '../testing/send-request.ts'
import { cookieHeader } from '../testing/sign-in.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const running: { harness?: Harness } = {}

afterEach(async () => {
  await running.harness?.stop()
  delete running.harness
})

type Limit = Extract<keyof GatewayConfig, `LIMIT_${string}`>

// The harness raises all limits. The limiter's clock is fixed, so that no token is refilled during a test.
async function startWithDefault(limit: Limit): Promise<{ harness: Harness; most: number }> {
  const most = gatewaySettings.shape[limit].parse(undefined)
  const harness = await createHarness({ [limit]: most }, () => 0)
  running.harness = harness
  return { harness, most }
}

async function countStatuses(total: number, send: () => Promise<{ status: number }>): Promise<Record<number, number>> {
  const statuses = await Promise.all(Array.from({ length: total }, async () => (await send()).status))
  return Object.fromEntries(
    [...new Set(statuses)].map((one) => [one, statuses.filter((status) => status === one).length]),
  )
}

describe('the default limit', () => {
  it('R5 L14 of writes accepts 100 at once from one user', async () => {
    const { harness, most } = await startWithDefault('LIMIT_WRITE_BURST')
    const cookie = cookieHeader(harness, { access: await harness.keys.token(randomUser()) })
    const statuses = await countStatuses(most + 10, () => postJson(harness.port, '/api/bids', {}, { cookie }))
    expect([most, statuses]).toEqual([100, { 200: 100, 429: 10 }])
  })

  it('R5 of reads accepts 100 at once from one address', async () => {
    const { harness, most } = await startWithDefault('LIMIT_READS_PER_SECOND')
    const statuses = await countStatuses(most + 10, () => sendRequest(harness.port, { path: '/api/categories' }))
    expect([most, statuses]).toEqual([100, { 200: 100, 429: 10 }])
  })

  it('R5 of chat messages accepts 30 at once from one address', async () => {
    const { harness, most } = await startWithDefault('LIMIT_CHATS_PER_MINUTE')
    const statuses = await countStatuses(most + 10, () => postJson(harness.port, '/api/chat', {}))
    expect([most, statuses]).toEqual([30, { 200: 30, 429: 10 }])
  })

  it('R5 of sign-ins accepts 60 at once from one address', async () => {
    const { harness, most } = await startWithDefault('LIMIT_SIGN_INS_PER_MINUTE')
    const statuses = await countStatuses(most + 10, () => postJson(harness.port, '/api/sessions', {}))
    expect([most, statuses]).toEqual([60, { 200: 60, 429: 10 }])
  })
})
