import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { startFakeRpc, type FakeRpc } from '@marketplace/testing/fake-rpc.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { remainingTime, deadlineHeader, withDeadline } from './deadline.ts'
import { buildApp } from './http.ts'
import { openLog } from '../telemetry/log.ts'
import { rpcClient } from '../rpc/rpc.ts'

let catalog: FakeRpc
const timeouts: number[] = []

beforeAll(async () => {
  catalog = await startFakeRpc((router) => {
    router.service(CatalogService, {
      async getListings(_request, context) {
        timeouts.push(context.timeoutMs() ?? Infinity)
        return {}
      },
    })
  })
})

afterAll(() => catalog.stop())

it('timeouts an internal call to the deadline of its request', async () => {
  const client = rpcClient(CatalogService, catalog.url, testSecret)
  const app = buildApp(openLog('test', 'silent'))
  app.get('/', async () => client.getListings({}, { timeoutMs: 100_000 }))
  await app.inject({ url: '/', headers: { [deadlineHeader]: '80000' } })
  await app.inject({ url: '/', headers: { 'connect-timeout-ms': '70000' } })
  await app.inject({ url: '/' })
  await app.close()

  const [fromGateway = 0, fromInternalCall = 0, withoutDeadline = 0] = timeouts
  expect(fromGateway).toBeLessThanOrEqual(80_000)
  expect(fromInternalCall).toBeLessThanOrEqual(70_000)
  expect(withoutDeadline).toBeGreaterThan(80_000)
})

it.each([Number.NaN, 0, -1])('sets no deadline for %d ms', (timeoutMs) => {
  expect(withDeadline(timeoutMs, () => remainingTime(undefined))).toBeUndefined()
})

it('gives a call after the deadline a timeout of 1 ms', () => {
  expect(withDeadline(0.0001, () => remainingTime(5000))).toBe(1)
})
