import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../routing/route.ts'
import { routeTable, webRoute } from '../routing/route-table.ts'
import type { Gateway } from '../service.ts'
import { sendRequest, type RequestOptions } from '../testing/send-request.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const forwardedRoutes = [...routeTable, webRoute].filter(({ to }) => to !== 'gateway')

let harness: Harness
let cookie: string
// Method and path of each request that @fastify/http-proxy forwarded.
const forwardedByPlugin: string[] = []

beforeAll(async () => {
  harness = await createHarness({}, undefined, recordForwarded)
  cookie = `${harness.names.access}=${await harness.keys.token(randomUser())}`
})

afterAll(() => harness.stop())

// `from` and `fromParameters` exist only in the plugin's scope.
function recordForwarded({ publicApp }: Gateway): void {
  publicApp.addHook('preHandler', (request, reply, done) => {
    if ('from' in reply && 'fromParameters' in reply) {
      const from = reply.from.bind(reply)
      reply.from = (path, options) => {
        forwardedByPlugin.push(`${request.method} ${path}`)
        return from(path, options)
      }
    }
    done()
  })
}

it('@fastify/http-proxy forwards every request that reaches a service', async () => {
  const requests = forwardedRoutes.flatMap(requestsOf)
  for (const request of requests) await sendRequest(harness.port, request)
  const reached = Object.values(harness.upstreams).flatMap(({ received }) =>
    received.map(({ method, url }) => `${method} ${url}`),
  )
  const expected = requests.map(({ method, path }) => `${method} ${path}`)

  expect(forwardedByPlugin).toEqual(expected)
  expect(reached.toSorted()).toEqual(expected.toSorted())
})

function requestsOf({ method, template, body }: Route): RequestOptions[] {
  const path = template
    .replace('{id}', newId())
    .replace('{number}', '1')
    .replace('{provider}', 'google')
    .replace('{key}', 'a')
    .replace('{picture}', '320.webp')
  const headers = { cookie, 'content-type': 'application/json' }
  if (body !== 'none' && method === 'POST') return [{ method, path, headers, body: '{}' }]
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
  return methods.map((one) => ({ method: one, path, headers: { cookie } }))
}
