import { readFileSync } from 'node:fs'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Route } from '../routing/route.ts'
import { routeTable } from '../routing/route-table.ts'
import { createHarness, type Harness } from '../testing/harness.ts'
import { sendRequest, type RequestOptions } from '../testing/send-request.ts'
import { gatewayStatuses } from './public-operation.ts'

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
})
const { paths } = Document.parse(JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')))
const documented = routeTable.filter(({ template }) => template in paths)

let harness: Harness
let limited: Harness
let cookie: string

beforeAll(async () => {
  const unreachable = 'http://127.0.0.1:1'
  const urls = ['CATALOG', 'AUCTION', 'PAYMENTS', 'MESSAGING', 'SEARCH', 'USERS'].map((name) => [
    `${name}_URL`,
    unreachable,
  ])
  harness = await createHarness(Object.fromEntries(urls))
  const limits = ['READS_PER_SECOND', 'WRITE_BURST', 'WEBHOOK_BURST', 'SIGN_INS_PER_MINUTE', 'CHATS_PER_MINUTE']
  limited = await createHarness(Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, 0])), () => 0)
  cookie = `${harness.names.access}=${await harness.keys.token(randomUser())}`
})
afterAll(() => Promise.all([harness.stop(), limited.stop()]))

const pathOf = ({ template }: Route, id: string) =>
  template
    .replace('{id}', id)
    .replace('{number}', id === '-' ? '-' : '1')
    .replace('{provider}', id === '-' ? '-' : 'embedded')

// One request for each way in which the gateway rejects one.
function rejectedRequests(route: Route): RequestOptions[] {
  const path = pathOf(route, newId())
  const { method } = route
  return [
    { method, path: `${path}?a="`, headers: { cookie } },
    { method, path: `${path}?${'x'.repeat(17_000)}` },
    { method, path, headers: { host: 'other.example' } },
    { method, path },
    { method, path, headers: { cookie, origin: 'https://other.example' } },
    { method, path: pathOf(route, '-'), headers: { cookie } },
    { method, path, headers: { cookie, 'content-length': 5_000_000 } },
    { method, path, headers: { cookie, 'content-type': 'text/plain', 'content-length': 1 }, body: 'a' },
    { method, path, headers: { cookie } },
  ]
}

describe('the public document', () => {
  it.each(documented.map((route) => [`${route.method} ${route.template}`, route] as const))(
    'declares every status with which the gateway rejects %s, and no other status of the gateway',
    async (_name, route) => {
      const seen = new Set<number>()
      for (const request of rejectedRequests(route)) seen.add((await sendRequest(harness.port, request)).status)
      seen.add((await sendRequest(limited.port, { method: route.method, path: pathOf(route, newId()) })).status)
      const declared = Object.keys(paths[route.template]?.[route.method.toLowerCase()]?.responses ?? {}).map(Number)
      const own = gatewayStatuses(route)
      expect(seen).toEqual(new Set(own))
      expect(declared).toEqual(expect.arrayContaining(own))
    },
  )
})
