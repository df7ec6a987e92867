import { trace } from '@marketplace/kit/telemetry/trace.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Gateway } from '../service.ts'
import { sendRequest } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

// The id of each finished request, and the id in its log line.
const finished: (readonly [string, string | undefined])[] = []
let harness: Harness

beforeAll(async () => {
  harness = await createHarness({}, undefined, ({ publicApp }: Gateway) => {
    publicApp.addHook('onResponse', (request, _reply, done) => {
      finished.push([request.id, trace.current()?.requestId])
      done()
    })
  })
})

afterAll(() => harness.stop())

// This test fails when the response is sent from an event of the connection to the service, which many requests share.
it('logs the end of each request under its own id when requests share connections to a service', async () => {
  const { catalog } = harness.upstreams
  catalog.respond = (_request, reply) => {
    if (catalog.received.length % 5 !== 0) return reply.send([])
    reply.hijack().raw.writeHead(200, { 'content-length': '100' }).write('[')
    return setTimeout(() => reply.raw.destroy(), 5)
  }
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 10 }, () => sendRequest(harness.port, { path: '/api/categories' })))
  }

  await eventually(() => finished.length === 50)
  expect(finished.filter(([id, logged]) => id !== logged)).toEqual([])
})
