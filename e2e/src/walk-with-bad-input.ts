import type { Asked, Call, Walk } from './contract.ts'
import { nobody } from './forms.ts'

/** The calls that need a body. */
export const withBody: readonly Call[] = [
  'POST /api/sessions',
  'POST /api/listings',
  'POST /api/bids',
  'POST /api/offers',
  'POST /api/offers/{id}/counter',
  'POST /api/conversations',
  'POST /api/messages',
  'POST /api/watchlist',
  'POST /api/payments/create-intent',
  'POST /api/payments/confirm',
  'POST /api/payments/cancel',
  'POST /api/users/notification-preferences',
  'POST /api/search/track',
  'POST /api/chat',
]

const wrongBodies: readonly [status: number, asked: Asked][] = [
  [400, { body: {} }],
  [400, { body: '[]' }],
  [400, { body: '{"half":' }],
  [400, { body: '{"__proto__":{"polluted":true}}' }],
  [413, { body: { much: 'x'.repeat(64 * 1024) } }],
  [415, { body: '{}', headers: { 'content-type': 'text/plain' } }],
]

const wrongQueries: readonly [call: Call, query: string][] = [
  ['GET /api/listings', '?minPrice=cheap'],
  ['GET /api/listings', '?sort=price;drop'],
  ['GET /api/listings', '?cursor=nowhere'],
  ['GET /api/listings', '?search[]=a&search[$ne]='],
  ['GET /api/search/suggestions', `?q=${'a'.repeat(201)}`],
]

const counterBody = { amount: 5 }

/** Makes calls that have to be refused; answers those that were not refused as they should be. */
export async function walkWithBadInput(walk: Walk, cookie: string): Promise<string[]> {
  const wrong: string[] = []
  const refuse = async (status: number, call: Call, asked: Asked) => {
    const answer = await walk.ask(call, { cookie, id: nobody, ...asked })
    const given = asked.body ?? asked.query ?? asked.id ?? ''
    if (answer.status !== status)
      wrong.push(`${call} ${JSON.stringify(given).slice(0, 60)}: ${answer.status}, not ${status}`)
  }
  for (const call of withBody) for (const [status, asked] of wrongBodies) await refuse(status, call, asked)
  for (const [call, query] of wrongQueries) await refuse(400, call, { query })
  for (const call of walk.calls.filter((call) => call.includes('{id}'))) {
    const body = call.endsWith('/counter') ? { body: counterBody } : {}
    for (const id of [nobody, '1']) await refuse(404, call, { id, ...body })
  }
  await refuse(404, 'GET /api/oauth/{provider}/redirect_url', { id: 'evil' })
  return wrong
}
