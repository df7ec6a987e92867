import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})

afterAll(() => harness.stop())

const open = (host: string, path = '/listing/1?a=%2F&b=2', accept = 'text/html,*/*') =>
  sendRequest(harness.port, { path, headers: { host, accept } })

it.each(['127.0.0.1:8080', '[::1]:8080'])('redirects a page opened at %s to the public origin', async (host) => {
  const { status, headers } = await open(host)
  expect([status, headers.location]).toEqual([307, 'http://localhost:8080/listing/1?a=%2F&b=2'])
  expect(headers['cache-control']).toBe('no-store')
})

it('redirects only to the public origin, whatever the path', async () => {
  const responses = await Promise.all(
    ['//evil.example/', '/\\evil.example', '/@evil.example'].map((path) => open('127.0.0.1:8080', path)),
  )
  const locations = responses.flatMap(({ headers }) => headers.location ?? [])
  expect(locations).toEqual(['http://localhost:8080/@evil.example'])
})

it.each([
  ['the public origin', 'localhost:8080', '/', 'text/html'],
  ['another port, which may be forwarded', '127.0.0.1:9000', '/', 'text/html'],
  ['a network address, which a proxy may send', '10.0.0.5:8080', '/', 'text/html'],
  ['a file', '127.0.0.1:8080', '/assets/index.js', '*/*'],
  ['an API request', '127.0.0.1:8080', '/api/categories', 'text/html'],
])('does not redirect %s', async (_what, host, path, accept) => {
  expect((await open(host, path, accept)).status).toBe(200)
})

it('does not redirect when the public origin is not a loopback address', async () => {
  const shop = await createHarness({ PUBLIC_ORIGIN: 'https://shop.example' })
  const { status } = await sendRequest(shop.port, {
    path: '/',
    headers: { host: '127.0.0.1:8080', accept: 'text/html' },
  })
  expect(status).toBe(200)
  await shop.stop()
})
