import { topics } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { createUsersService } from '../service.ts'
import { cookieName, person, signIn } from '../testing/browser.ts'
import { createHarness } from '../testing/harness.ts'

it('AUTH-12 publishes a logout to every gateway and stops cleanly', async () => {
  const harness = await createHarness()
  const users = await harness.startInstance()
  const running = createUsersService(harness.settings)
  await running.start()
  const bus = await openBus(harness.settings, openLog('test', 'silent'))
  const events: BusEvent[] = []
  const tail = await bus.tail({ topic: topics.users, since: new Date(), handler: (event) => void events.push(event) })
  await tail.caughtUp

  const alice = await signIn(users, harness.provider, person('alice'))
  const { sub, sid } = decodeJwt(alice.cookies.get(cookieName.access) ?? '')
  await alice.request('GET', '/api/logout')
  await eventually(() => events.length > 0)
  expect(events).toMatchObject([
    { type: 'marketplace.users.v1.SessionRevoked', key: sub, payload: { sessionId: sid, userId: sub } },
  ])

  await tail.close()
  await bus.close()
  await running.stop()
  await harness.close()
})
