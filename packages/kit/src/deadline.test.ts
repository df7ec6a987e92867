import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { startFakeRpc, type FakeRpc } from '@marketplace/testing/fake-rpc.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { timeFor, timeLimitHeader, withinTime } from './deadline.ts'
import { buildApp } from './http.ts'
import { openLog } from './log.ts'
import { rpcClient } from './rpc.ts'

let neighbour: FakeRpc
const limits: number[] = []

beforeAll(async () => {
  neighbour = await startFakeRpc((router) => {
    router.service(CatalogService, {
      async getListings(_request, context) {
        limits.push(context.timeoutMs() ?? Infinity)
        return {}
      },
    })
  })
})

afterAll(() => neighbour.stop())

it('an internal call has no longer than somebody waits for the request it is made for', async () => {
  const client = rpcClient(CatalogService, neighbour.url, testSecret)
  const app = buildApp(openLog('test', 'silent'))
  app.get('/', async () => client.getListings({}, { timeoutMs: 5000 }))
  await app.inject({ url: '/', headers: { [timeLimitHeader]: '800' } })
  await app.inject({ url: '/', headers: { 'connect-timeout-ms': '700' } })
  await app.inject({ url: '/' })
  await app.close()

  const [given = 0, ofAnInternalCall = 0, none = 0] = limits
  expect(given).toBeLessThanOrEqual(800)
  expect(ofAnInternalCall).toBeLessThanOrEqual(700)
  expect(none).toBeGreaterThan(800)
})

it.each([Number.NaN, 0, -1])('%d ms is no limit', (limit) => {
  expect(withinTime(limit, () => timeFor(undefined))).toBeUndefined()
})

it('a call that is made too late still ends', () => {
  expect(withinTime(0.0001, () => timeFor(5000))).toBe(1)
})
