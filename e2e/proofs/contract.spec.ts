import { startWalk, type Call } from '../src/contract.ts'
import { expect, test, withoutPages } from '../src/stack.ts'
import { signInOnWalk, walkAsPeople } from '../src/walk-as-people.ts'
import { nobody } from '../src/forms.ts'
import { walkWithBadInput, withBody } from '../src/walk-with-bad-input.ts'

test.use({ stackOptions: { only: withoutPages, env: { gateway: { LIMIT_WRITE_BURST: '1000' } } } })

// decisions.md, "Answers of every call": open without a session.
const open: readonly Call[] = [
  'GET /api/oauth/{provider}/redirect_url',
  'POST /api/sessions',
  'GET /api/logout',
  'GET /api/categories',
  'GET /api/listings',
  'GET /api/listings/{id}',
  'GET /api/auctions/{id}/bids',
  'GET /api/auctions/{id}/stream',
  'GET /api/stripe/config',
  'POST /api/stripe/webhook',
  'GET /api/search/trending',
  'GET /api/search/history',
  'GET /api/search/suggestions',
  'POST /api/search/track',
  'POST /api/chat',
]

test('ROLE-01 signed out the open calls answer, and every other is 401 with its error', async ({ stack }) => {
  const walk = await startWalk(stack.url)
  const closed = walk.calls.filter((call) => !open.includes(call))
  expect(closed.length).toBeGreaterThan(20)
  for (const call of closed) {
    const { status, body } = await walk.ask<{ error: string; code: string }>(call, { id: nobody })
    expect([call, status, body.code, body.error]).toEqual([call, 401, 'unauthenticated', 'Please sign in.'])
  }
  for (const call of open.filter((call) => !call.endsWith('/stream'))) {
    const { status } = await walk.ask(call, { id: call.includes('{provider}') ? 'google' : nobody })
    expect([call, status], 'an open call knows of no 401').not.toEqual([call, 401])
  }
  const listed = await walk.ask<unknown[]>('GET /api/listings')
  expect([listed.status, Array.isArray(listed.body)]).toEqual([200, true])
})

test('NUM-03 every answer is as the document says, its times in ISO 8601 and UTC, also of refusals', async ({
  stack,
}) => {
  const walk = await startWalk(stack.url)
  await walkAsPeople(walk, stack)
  const cookie = await signInOnWalk(walk, stack.url, 'dave@example.com')
  expect(await walkWithBadInput(walk, cookie)).toEqual([])

  const withParameter = walk.calls.filter((call) => call.includes('{'))
  expect(missingFrom(walk.calls, walk.answeredWith(200, 201))).toEqual([])
  expect(missingFrom(withParameter, walk.answeredWith(404))).toEqual([])
  expect(missingFrom(withBody, walk.answeredWith(400))).toEqual([])

  // More than a minute's worth.
  const chats = Array.from({ length: 40 }, () => walk.ask('POST /api/chat', { cookie, body: { message: 'Hello' } }))
  expect((await Promise.all(chats)).map(({ status }) => status)).toContain(429)
})

function missingFrom(all: readonly Call[], some: readonly Call[]): Call[] {
  return all.filter((call) => !some.includes(call))
}
