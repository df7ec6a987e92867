import { topics } from '@marketplace/contracts/topics.ts'
import { openBus, type BusEvent } from '@marketplace/kit/bus.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { createUsersService } from '../service.ts'
import { cookieName, person, setStage, signIn } from '../testing/stage.ts'

it('AUTH-12 tells every gateway of a logout, and stops cleanly', async () => {
  const stage = await setStage()
  const users = await stage.start()
  const running = createUsersService(stage.settings)
  await running.start()
  const bus = await openBus(stage.settings, openLog('test', 'silent'))
  const events: BusEvent[] = []
  const tail = await bus.tail({ topic: topics.users, since: new Date(), handler: (event) => void events.push(event) })
  await tail.caughtUp

  const alice = await signIn(users, stage.provider, person('alice'))
  const { sub, sid } = decodeJwt(alice.cookies.get(cookieName.access) ?? '')
  await alice.ask('GET', '/api/logout')
  await eventually(() => events.length > 0)
  expect(events).toMatchObject([
    { type: 'marketplace.users.v1.SessionRevoked', key: sub, payload: { sessionId: sid, userId: sub } },
  ])

  await tail.close()
  await bus.close()
  await running.stop()
  await stage.close()
})
