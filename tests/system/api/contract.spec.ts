import { startWalk, type Call } from '../../support/api-walk/contract.ts'
import { chatsPerMinute, expect, test } from '../../support/processes/system-stack.ts'
import { signInOnWalk, walkAsUsers } from '../../support/api-walk/walk-as-users.ts'
import { listenForConnections } from '../../support/processes/connection-listener.ts'
import { unknownId } from '../../support/api-walk/forms.ts'
import { walkWithBadInput, withBody } from '../../support/api-walk/walk-with-bad-input.ts'

// The operations that are open without a session (decisions.md, "Answers of every call").
const open: readonly Call[] = [
  'GET /api/oauth/{provider}/redirect_url',
  'POST /api/sessions',
  'GET /api/logout',
  'GET /api/users/{id}/profile',
  'GET /api/users/{id}/reply-time',
  'GET /api/categories',
  'GET /api/listings',
  'GET /api/listings/{id}',
  'GET /api/listings/{id}/prices',
  'GET /api/listings/facets',
  'GET /api/listings/{id}/similar',
  'GET /api/auctions/{id}',
  'GET /api/auctions/{id}/bids',
  'GET /api/auctions/{id}/stream',
  'GET /api/stripe/config',
  'POST /api/stripe/webhook',
  'GET /api/search/trending',
  'GET /api/search/history',
  'GET /api/search/suggestions',
  'GET /api/search/recovery',
  'POST /api/search/track',
  'POST /api/chat',
]

test('ROLE-01 open calls respond without a session, and every other is 401 with its error', async ({ stack }) => {
  const walk = await startWalk(stack.url)
  const closed = walk.calls.filter((call) => !open.includes(call))
  expect(closed.length).toBeGreaterThan(20)
  for (const call of closed) {
    const { status, body } = await walk.call<{ error: string; code: string }>(call, { id: unknownId })
    expect([call, status, body.code, body.error]).toEqual([call, 401, 'unauthenticated', 'Please sign in.'])
  }
  for (const call of open.filter((call) => !call.endsWith('/stream'))) {
    const { status } = await walk.call(call, { id: call.includes('{provider}') ? 'google' : unknownId })
    expect([call, status], 'an open call never responds 401').not.toEqual([call, 401])
  }
  const listed = await walk.call<unknown[]>('GET /api/listings')
  expect([listed.status, Array.isArray(listed.body)]).toEqual([200, true])
})

test('NUM-03 PHOTO-37 every response matches the document, and no service connects to the URL of a picture', async ({
  stack,
}) => {
  const walk = await startWalk(stack.url)
  const pictures = await listenForConnections()
  const { url, secrets } = stack
  await walkAsUsers(walk, { url, secrets, pictureUrl: `http://127.0.0.1:${pictures.port}/1.jpg` })
  const cookie = await signInOnWalk(walk, url, 'dave@example.com')
  expect(await walkWithBadInput(walk, cookie)).toEqual([])

  const withParameter = walk.calls.filter((call) => call.includes('{'))
  expect(missingFrom(walk.calls, walk.respondedWith(200, 201))).toEqual([])
  expect(missingFrom(withParameter, walk.respondedWith(404))).toEqual([])
  expect(missingFrom(withBody, walk.respondedWith(400))).toEqual([])

  const chats = Array.from({ length: 2 * chatsPerMinute }, () =>
    walk.call('POST /api/chat', { cookie, body: { message: 'Hello' } }),
  )
  expect((await Promise.all(chats)).map(({ status }) => status)).toContain(429)

  expect(pictures.count()).toBe(0)
  await pictures.connect()
  expect(pictures.count()).toBe(1)
  pictures.stop()
})

function missingFrom(all: readonly Call[], some: readonly Call[]): Call[] {
  return all.filter((call) => !some.includes(call))
}
