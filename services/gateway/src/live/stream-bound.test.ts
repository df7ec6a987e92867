import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { newId } from '@marketplace/kit/values/ids.ts'
import { testDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { expect, it } from 'vitest'
import { gatewaySettings } from '../config.ts'
import { serveAuction } from '../testing/fake-auction.ts'
import { createHarness } from '../testing/harness.ts'
import { connectInMemory } from '../testing/memory-connection.ts'

const { MAX_STREAMS, MAX_STREAMS_PER_ADDRESS } = gatewaySettings.shape
const perProcess = MAX_STREAMS.parse(undefined)
const perAddress = MAX_STREAMS_PER_ADDRESS.parse(undefined)

const addressOf = (index: number) => `10.0.0.${Math.floor(index / perAddress)}`

it('a stream gets 503 above 20,000 streams of a process, from any address, until one is closed', async () => {
  const database = await testDatabase()
  const harness = await createHarness({
    BUS_DATABASE_URL: database.busUrl,
    MAX_STREAMS: perProcess,
    MAX_STREAMS_PER_ADDRESS: perAddress,
  })
  serveAuction(harness)
  const path = `/api/auctions/${newId()}/stream`
  const clients: Duplex[] = []
  /** Opens a stream. Returns the start of the response. */
  const open = async (address: string): Promise<string> => {
    const client = connectInMemory(harness.gateway.publicApp.server, address)
    clients.push(client)
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const [head] = await once(client, 'data')
    return String(head)
  }
  const statusOf = (head: string) => Number(head.split(' ', 2)[1])

  const statuses = new Map<number, number>()
  for (let opened = 0; opened < perProcess; opened += 500) {
    const heads = await Promise.all(Array.from({ length: 500 }, (_, index) => open(addressOf(opened + index))))
    for (const status of heads.map(statusOf)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([perProcess, [...statuses]]).toEqual([20_000, [[200, 20_000]]])

  const refused = await open('10.1.0.1')
  expect([statusOf(refused), /retry-after: 1\r\n/i.test(refused)]).toEqual([503, true])
  clients[0]?.destroy()
  expect(await eventually(async () => statusOf(await open('10.1.0.1')) === 200)).toBe(true)
  expect(statusOf(await open('10.1.0.2'))).toBe(503)

  for (const client of clients) client.destroy()
  await harness.stop()
  await database.drop()
})
