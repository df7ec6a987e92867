import type { CallOptions, Call, Walk } from './contract.ts'
import { acceptsUnknownId, forms, unknownId } from './forms.ts'

/** The operations that require a body. */
export const withBody: readonly Call[] = [
  'POST /api/sessions',
  'POST /api/listings',
  'PATCH /api/listings/{id}',
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

const wrongBodies: readonly [status: number, options: CallOptions][] = [
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

/** Makes invalid requests; returns a description of each that was not rejected as specified. */
export async function walkWithBadInput(walk: Walk, cookie: string): Promise<string[]> {
  const wrong: string[] = []
  const expectStatus = async (status: number, call: Call, options: CallOptions) => {
    const response = await walk.call(call, { cookie, id: unknownId, ...options })
    const sent = options.body ?? options.query ?? options.id ?? ''
    if (response.status !== status)
      wrong.push(`${call} ${JSON.stringify(sent).slice(0, 60)}: ${response.status}, not ${status}`)
  }
  for (const call of withBody) for (const [status, options] of wrongBodies) await expectStatus(status, call, options)
  for (const [call, query] of wrongQueries) await expectStatus(400, call, { query })
  for (const call of walk.calls.filter((call) => call.includes('{id}'))) {
    const [, form] = forms.find(([known]) => known === call) ?? []
    const body = form ? { body: form.body } : {}
    for (const id of acceptsUnknownId(call) ? ['1'] : [unknownId, '1']) await expectStatus(404, call, { id, ...body })
  }
  await expectStatus(404, 'GET /api/oauth/{provider}/redirect_url', { id: 'evil' })
  return wrong
}
