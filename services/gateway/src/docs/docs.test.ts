import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../testing/ask.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.stop())

describe('the reference page', () => {
  it('G16 is at /api/docs with the files that it names, none of them from elsewhere', async () => {
    const page = await ask(stage.port, { path: '/api/docs' })
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)]
      .filter(([, address]) => address !== 'data:,')
      .map(([, address]) => address ?? '')
    const files = await Promise.all(addresses.map((path) => ask(stage.port, { path })))

    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(addresses.length).toBe(3)
    expect(files.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
    ])
    expect(stage.forwarded()).toBe(0)
  })

  it('H1 needs no inline script and has the policy of the pages', async () => {
    const { text, headers } = await ask(stage.port, { path: '/api/docs' })

    expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=/)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'self'; script-src 'self' https:\/\/js.stripe.com; connect-src/,
    )
    expect(headers['content-security-policy']).not.toContain('unsafe')
  })

  it.each(['/api/docs/', '/api/docs/index.js', '/api/docs/docs.html', '/api/docs/..%2fdocs.routes.ts', '/docs'])(
    'has nothing at %s',
    async (path) => {
      expect([400, 404]).toContain((await ask(stage.port, { path })).status)
    },
  )
})
