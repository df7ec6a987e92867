import { schemas } from '@marketplace/contracts/services.ts'
import { startWalk, type Call } from '../../support/api-walk/contract.ts'
import { unknownId } from '../../support/api-walk/forms.ts'
import { expect, test } from '../../support/processes/system-stack.ts'
import { signInOnWalk, walkAsUsers } from '../../support/api-walk/walk-as-users.ts'
import { acceptsKey, withKeys, type KeyedWalk } from '../../support/api-walk/walk-with-keys.ts'

test('every write with a key replays its first response, errors included, from other processes and after a kill', async ({
  stack,
}) => {
  const walk = withKeys(await startWalk(stack.url))
  await walkAsUsers(walk, stack)
  await makeRejectedCalls(walk, await signInOnWalk(walk, stack.url, 'erin@example.com'))
  const writes = walk.calls.filter(acceptsKey)
  expect(writes.filter((call) => !walk.keyed().includes(call))).toEqual([])
  // By now the offers are closed, the items sold and the bids outbid: only a stored response is the same.
  expect(await walk.repeat(stack.url, 2)).toEqual([])

  for (const service of schemas) stack.services[service].kill('SIGKILL')
  await Promise.all(schemas.map((service) => stack.services[service].ready()))
  expect(await walk.repeat(stack.url, 2)).toEqual([])
})

const future = () => new Date(Date.now() + 3_600_000).toISOString()

/** Sends requests with a key that are rejected, although the same request would succeed once the state has changed. */
async function makeRejectedCalls({ call: send }: KeyedWalk, cookie: string): Promise<void> {
  const auction = { title: 'Refused', category_id: 1, is_auction: true, starting_bid: 10, auction_end_date: future() }
  const { body } = await send<{ id: string }>('POST /api/listings', { cookie, body: auction })
  const rejections: [status: number, call: Call, options: object][] = [
    [403, 'POST /api/bids', { body: { listing_id: body.id, amount: 20 } }],
    [404, 'POST /api/bids', { body: { listing_id: unknownId, amount: 20 } }],
    [403, 'POST /api/watchlist', { body: { listing_id: body.id } }],
    [403, 'POST /api/offers', { body: { listing_id: body.id, amount: 20 } }],
    [404, 'POST /api/offers/{id}/accept', { id: unknownId }],
    [403, 'POST /api/conversations', { body: { listing_id: body.id, message_text: 'Hi' } }],
    [404, 'POST /api/messages', { body: { conversation_id: unknownId, message_text: 'Hi' } }],
    [404, 'POST /api/conversations/{id}/mark-read', { id: unknownId }],
    [404, 'POST /api/payments/create-intent', { body: { listing_id: unknownId, transaction_type: 'buy_now' } }],
    [404, 'POST /api/payments/confirm', { body: { payment_intent_id: 'pi_nothing' } }],
    [404, 'POST /api/payments/cancel', { body: { payment_intent_id: 'pi_nothing' } }],
    [404, 'POST /api/auctions/{id}/buy-now', { id: unknownId }],
  ]
  for (const [status, call, options] of rejections) {
    const response = await send(call, { cookie, ...options })
    expect([call, response.status]).toEqual([call, status])
  }
}
