import { newId } from '@marketplace/kit/ids.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, sendRaw } from '../testing/ask.ts'
import { startStage, type Stage } from '../testing/stage.ts'
import { judgeRawAddress } from './raw-path.ts'

const id = newId()

// abuse-cases.md G5, G7 and the advisories named there; each is also tried below /assets, which leads to web.
const crooked = [
  '/api/../internal/x',
  '/api/%2e%2e/internal',
  '/api/%2E%2E/internal',
  '/api/..%2f',
  '/api/..%2Finternal',
  '/api/.%2e/',
  '/api/%2e./internal',
  '/api/%252e%252e/',
  '/api/%252f..%252finternal',
  '/api\\..\\internal',
  '/api/..\\internal',
  '/api/%5c..%5cinternal',
  '/api/..;/internal',
  '/api/..%3b/internal',
  '/api/listings;a=b',
  '//internal',
  '/api//internal',
  '//api/users/me',
  '/api/./x',
  '/api/users/me/.',
  '/api/users/me/..',
  '/api/listings/1/../../users/me',
  '/api/listings/%2e%2e%2fusers%2fme',
  '/%2e%2e/api/users/me',
  '/api%2fusers/me',
  '/api/users%00/me',
  '/api/users%0d%0aX-User-Id:%201/me',
  '/api/users%7f/me',
  '/api/users%ff/me',
  '/api/users%c0%ae%c0%ae/me',
  '/api/users%zz/me',
  '/api/users%/me',
  '/api/users%2/me',
  '/api/users/me#fragment',
  '/api/users/me?a=1#fragment',
  '/api/<listings>',
  '/api/"listings"',
  '/api/{listings}',
  'api/users/me',
  '*',
  'http://evil/',
  'http://127.0.0.1:5432/',
  'https://localhost:8080/api/users/me',
]

describe('the judgement of a raw address', () => {
  it.each(crooked)('refuses %s', (url) => {
    expect(judgeRawAddress(url)).toBe('malformed')
  })

  it.each(['/', '/api/listings', `/listing/${id}`, '/assets/a-1.2_3~4.js', '/caf%C3%A9', '/a/...', '/@scope/x:y'])(
    'takes %s',
    (url) => {
      expect(judgeRawAddress(url)).toEqual({ path: url, query: '' })
    },
  )

  it('leaves the query as it came', () => {
    expect(judgeRawAddress('/a?x=../..&y=%2e%2F&z=%zz?&;')).toEqual({ path: '/a', query: 'x=../..&y=%2e%2F&z=%zz?&;' })
  })

  it('judges the longest hostile address in no time', () => {
    const startedAt = performance.now()
    for (const part of ['a', '/', '%', '.', '%41', '/a']) judgeRawAddress(`/${part.repeat(5000)}!"`)
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})

describe('crooked addresses over the wire', () => {
  let stage: Stage
  let cookie: string

  beforeAll(async () => {
    stage = await startStage()
    cookie = `${stage.names.access}=${await stage.keys.token(someone())}`
  })

  afterAll(() => stage.stop())

  it.each(crooked.filter((url) => /^[!-~]+$/.test(url)))(
    'G5 G7 answers 400 for %s and sends nothing on',
    async (path) => {
      const answer = await ask(stage.port, { path, headers: { cookie } })

      expect([answer.status, answer.json()]).toEqual([400, { error: expect.any(String), code: 'malformed' }])
      expect(stage.forwarded()).toBe(0)
    },
  )

  it('G5 answers 400 for a control character or a raw byte above ASCII', async () => {
    const paths = ['/api/\u0001x', '/api/users/\u00e9', '/assets/\u00ff', '/a?b=\u00e9']
    const answers = await Promise.all(
      paths.map((path) => sendRaw(stage.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)),
    )

    expect(answers.map(({ text }) => text.slice(0, 12))).toEqual(paths.map(() => 'HTTP/1.1 400'))
    expect(stage.forwarded()).toBe(0)
  })

  it('R2 answers 414 for a long address, 431 for one above the header limit', async () => {
    const long = await ask(stage.port, { path: `/api/listings?search=${'a'.repeat(20_000)}` })
    const longer = await ask(stage.port, { path: `/api/listings?search=${'a'.repeat(100_000)}` })

    expect([long.status, long.json()]).toEqual([414, { error: 'The address is too long.', code: 'too_large' }])
    expect([longer.status, longer.json()]).toEqual([431, { error: 'The headers are too large.', code: 'too_large' }])
    expect(stage.forwarded()).toBe(0)
  })
})
