import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})

afterAll(() => harness.stop())

const send = (body: string, type = 'application/reports+json') =>
  sendRequest(harness.port, {
    method: 'POST',
    path: '/api/csp-reports',
    headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
    body,
  })

const report = JSON.stringify([
  {
    type: 'csp-violation',
    url: 'https://shop.example/?search=private',
    body: { effectiveDirective: 'script-src-elem', blockedURL: 'inline', disposition: 'enforce' },
  },
])

describe('reports of policy violations', () => {
  it('H1 are accepted by the gateway itself', async () => {
    const response = await send(report)

    expect([response.status, response.text, harness.forwarded()]).toEqual([204, '', 0])
  })

  it.each([
    ['with an unknown structure', 204, () => send('{"a":1}')],
    ['with malformed JSON', 400, () => send('{')],
    ['with another media type', 415, () => send('x', 'text/plain')],
    ['above the size limit', 413, () => send(`["${'x'.repeat(65 * 1024)}"]`)],
  ])('%s get %i', async (_what, status, sent) => {
    expect((await sent()).status).toBe(status)
  })
})
