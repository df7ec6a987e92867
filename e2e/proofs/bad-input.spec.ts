import { startWalk } from '../src/contract.ts'
import { expect, test, withoutPages } from '../src/stack.ts'
import { signInOnWalk } from '../src/walk-as-people.ts'
import { walkWithBadFields } from '../src/walk-with-bad-fields.ts'

const many = '1000000'
const gateway = {
  LIMIT_READS_PER_SECOND: many,
  LIMIT_WRITE_BURST: many,
  LIMIT_SIGN_INS_PER_MINUTE: many,
  LIMIT_CHATS_PER_MINUTE: many,
}
test.use({ stackOptions: { only: withoutPages, env: { gateway } } })

const own = [
  'GET /api/users/me/listings',
  'GET /api/offers',
  'GET /api/watchlist',
  'GET /api/conversations',
  'GET /api/transactions',
  'GET /api/search/history',
  'GET /api/users/notification-preferences',
]

test('every field, query, id and key of every call is refused when it is wrong, by name, and changes nothing @long', async ({
  stack,
}) => {
  // Some 1,500 requests.
  test.setTimeout(300_000)
  const walk = await startWalk(stack.url)
  const cookie = await signInOnWalk(walk, stack.url, 'dave@example.com')
  const readOwn = () => Promise.all(own.map(async (call) => (await walk.ask(call, { cookie })).body))
  const before = await readOwn()
  expect(await walkWithBadFields(walk, cookie)).toEqual([])
  expect(await readOwn()).toEqual(before)
  expect(walk.answeredWith(500, 502, 503, 504)).toEqual([])
})
