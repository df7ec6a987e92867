import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../testing/ask.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.stop())

const open = (host: string, path = '/listing/1?a=%2F&b=2', accept = 'text/html,*/*') =>
  ask(stage.port, { path, headers: { host, accept } })

it.each(['127.0.0.1:8080', '[::1]:8080'])('leads a page opened at %s to where it can write', async (host) => {
  const { status, headers } = await open(host)
  expect([status, headers.location]).toEqual([307, 'http://localhost:8080/listing/1?a=%2F&b=2'])
  expect(headers['cache-control']).toBe('no-store')
})

it('stays on our own origin whatever the path says', async () => {
  const answers = await Promise.all(
    ['//evil.example/', '/\\evil.example', '/@evil.example'].map((path) => open('127.0.0.1:8080', path)),
  )
  const places = answers.flatMap(({ headers }) => headers.location ?? [])
  expect(places).toEqual(['http://localhost:8080/@evil.example'])
})

it.each([
  ['our own name', 'localhost:8080', '/', 'text/html'],
  ['another port, which somebody forwards', '127.0.0.1:9000', '/', 'text/html'],
  ['an address of the network, which a proxy may name', '10.0.0.5:8080', '/', 'text/html'],
  ['a file', '127.0.0.1:8080', '/assets/index.js', '*/*'],
  ['a call', '127.0.0.1:8080', '/api/categories', 'text/html'],
])('answers by itself at %s', async (_what, host, path, accept) => {
  expect((await open(host, path, accept)).status).toBe(200)
})

it('leads nowhere where the public origin is a name of the internet', async () => {
  const shop = await startStage({ PUBLIC_ORIGIN: 'https://shop.example' })
  const { status } = await ask(shop.port, { path: '/', headers: { host: '127.0.0.1:8080', accept: 'text/html' } })
  expect(status).toBe(200)
  await shop.stop()
})
