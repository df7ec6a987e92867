import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../testing/ask.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.stop())

const send = (body: string, type = 'application/reports+json') =>
  ask(stage.port, {
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

describe('reports of broken policies', () => {
  it('H1 are taken in by the gateway itself', async () => {
    const answer = await send(report)

    expect([answer.status, answer.text, stage.forwarded()]).toEqual([204, '', 0])
  })

  it.each([
    ['of another shape', 204, () => send('{"a":1}')],
    ['that are no JSON', 400, () => send('{')],
    ['as anything else', 415, () => send('x', 'text/plain')],
    ['too large', 413, () => send(`["${'x'.repeat(65 * 1024)}"]`)],
  ])('%s are %i', async (_what, status, sent) => {
    expect((await sent()).status).toBe(status)
  })
})
