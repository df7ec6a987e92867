import { startWalk } from '../../support/api-walk/contract.ts'
import { expect, test } from '../../support/processes/system-stack.ts'
import { signInOnWalk } from '../../support/api-walk/walk-as-users.ts'
import { walkWithBadFields } from '../../support/api-walk/walk-with-bad-fields.ts'

const own = [
  'GET /api/users/me/listings',
  'GET /api/offers',
  'GET /api/watchlist',
  'GET /api/conversations',
  'GET /api/transactions',
  'GET /api/search/history',
  'GET /api/users/notification-preferences',
]

test('every invalid field, query, id and key of every call is rejected by name and changes nothing', async ({
  stack,
}) => {
  // About 1,500 requests.
  test.setTimeout(300_000)
  const walk = await startWalk(stack.url)
  const cookie = await signInOnWalk(walk, stack.url, 'dave@example.com')
  const readOwn = () => Promise.all(own.map(async (call) => (await walk.call(call, { cookie })).body))
  const before = await readOwn()
  expect(await walkWithBadFields(walk, cookie)).toEqual([])
  expect(await readOwn()).toEqual(before)
  expect(walk.respondedWith(500, 502, 503, 504)).toEqual([])
})
