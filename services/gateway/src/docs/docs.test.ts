import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})

afterAll(() => harness.stop())

describe('the API reference page', () => {
  it('G16 is served at /api/docs, and loads files only from the gateway', async () => {
    const page = await sendRequest(harness.port, { path: '/api/docs' })
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)]
      .filter(([, address]) => address !== 'data:,')
      .map(([, address]) => address ?? '')
    const files = await Promise.all(addresses.map((path) => sendRequest(harness.port, { path })))

    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(addresses.length).toBe(3)
    expect(files.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
    ])
    expect(harness.forwarded()).toBe(0)
  })

  it('H1 has no inline script, and has the content security policy of pages', async () => {
    const { text, headers } = await sendRequest(harness.port, { path: '/api/docs' })

    expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=/)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'self'; script-src 'self' https:\/\/js.stripe.com; connect-src/,
    )
    expect(headers['content-security-policy']).not.toContain('unsafe')
  })

  it.each(['/api/docs/', '/api/docs/index.js', '/api/docs/docs.html', '/api/docs/..%2fdocs.routes.ts', '/docs'])(
    'responds with 400 or 404 at %s',
    async (path) => {
      expect([400, 404]).toContain((await sendRequest(harness.port, { path })).status)
    },
  )
})
