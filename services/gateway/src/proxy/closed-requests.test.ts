import { request } from 'node:http'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { expect, it } from 'vitest'
import { expiredSession } from '../testing/fake-users.ts'
import { createHarness } from '../testing/harness.ts'
import { sendRequest } from '../testing/send-request.ts'
import { cookieHeader } from '../testing/sign-in.ts'

it('requests whose clients disconnect during the checks are not forwarded and take no capacity of the service', async () => {
  const harness = await createHarness({ MAX_IN_FLIGHT: 2 })
  const { gateway, port, upstreams, users } = harness
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  users.respond = () => released.then(expiredSession)
  const read = { path: `/api/listings/${newId()}`, headers: { cookie: cookieHeader(harness, { refresh: 'token' }) } }
  let checked = 0
  gateway.publicApp.server.on('request', () => void (checked += 1))

  const clients = Array.from({ length: 5 }, () => request({ host: '127.0.0.1', port, agent: false, ...read }))
  for (const client of clients) client.on('error', () => undefined).end()
  await eventually(() => checked === clients.length && users.refreshes.length > 0)
  for (const client of clients) client.destroy()
  await eventually(async () => (await connections()) === 0)
  release()
  const { status } = await sendRequest(port, read)

  expect([status, upstreams.catalog.received.length]).toEqual([200, 1])
  await harness.stop()

  function connections(): Promise<number> {
    return new Promise((resolve) => gateway.publicApp.server.getConnections((_error, count) => resolve(count)))
  }
})
