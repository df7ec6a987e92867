import { SCHEMAS } from '@marketplace/dev/wiring.ts'
import { startWalk, type Call } from '../src/contract.ts'
import { nobody } from '../src/forms.ts'
import { expect, test, withoutPages } from '../src/stack.ts'
import { signInOnWalk, walkAsPeople } from '../src/walk-as-people.ts'
import { takesKey, withKeys, type KeyedWalk } from '../src/walk-with-keys.ts'

const replicas = Object.fromEntries(SCHEMAS.map((service) => [service, 2]))
const gateway = { LIMIT_WRITE_BURST: '1000' }
test.use({ stackOptions: { only: withoutPages, replicas, env: { gateway } } })

test('every write with a key gives its first answer again, refusals too, from other processes and after a kill @long', async ({
  stack,
}) => {
  const walk = withKeys(await startWalk(stack.url))
  await walkAsPeople(walk, stack)
  await beRefused(walk, await signInOnWalk(walk, stack.url, 'erin@example.com'))
  const writes = walk.calls.filter(takesKey)
  expect(writes.filter((call) => !walk.keyed().includes(call))).toEqual([])
  // By now the offers are answered, the items sold and the bids outbid: only a kept answer is the same.
  expect(await walk.repeat(stack.url, 2)).toEqual([])

  for (const service of SCHEMAS) stack.services[service].kill('SIGKILL')
  await Promise.all(SCHEMAS.map((service) => stack.services[service].ready()))
  expect(await walk.repeat(stack.url, 2)).toEqual([])
})

const future = () => new Date(Date.now() + 3_600_000).toISOString()

/** What is refused now, and would be answered otherwise, or refused otherwise, later. */
async function beRefused({ ask }: KeyedWalk, cookie: string): Promise<void> {
  const auction = { title: 'Refused', category_id: 1, is_auction: true, starting_bid: 10, auction_end_date: future() }
  const { body } = await ask<{ id: string }>('POST /api/listings', { cookie, body: auction })
  const refusals: [status: number, call: Call, asked: object][] = [
    [403, 'POST /api/bids', { body: { listing_id: body.id, amount: 20 } }],
    [404, 'POST /api/bids', { body: { listing_id: nobody, amount: 20 } }],
    [403, 'POST /api/watchlist', { body: { listing_id: body.id } }],
    [403, 'POST /api/offers', { body: { listing_id: body.id, amount: 20 } }],
    [404, 'POST /api/offers/{id}/accept', { id: nobody }],
    [403, 'POST /api/conversations', { body: { listing_id: body.id, message_text: 'Hi' } }],
    [404, 'POST /api/messages', { body: { conversation_id: nobody, message_text: 'Hi' } }],
    [404, 'POST /api/conversations/{id}/mark-read', { id: nobody }],
    [404, 'POST /api/payments/create-intent', { body: { listing_id: nobody, transaction_type: 'buy_now' } }],
    [404, 'POST /api/payments/confirm', { body: { payment_intent_id: 'pi_nothing' } }],
    [404, 'POST /api/payments/cancel', { body: { payment_intent_id: 'pi_nothing' } }],
    [404, 'POST /api/auctions/{id}/buy-now', { id: nobody }],
  ]
  for (const [status, call, asked] of refusals) {
    const answer = await ask(call, { cookie, ...asked })
    expect([call, answer.status]).toEqual([call, status])
  }
}
