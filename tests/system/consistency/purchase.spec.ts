import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import pg from 'pg'
import { expect, test } from '../../support/processes/system-stack.ts'
import { buyNow, listFixedPrice, payByCard, signIn, transactionFor } from '../../support/processes/people.ts'

// The sweeper runs once per minute in production.
const people = async (stack: Stack) =>
  Promise.all([signIn(stack.url, 'alice@example.com'), signIn(stack.url, 'bob@example.com')])

/** Expects one capture journal that sums to zero, and no other journal. */
async function expectOneCapture(stack: Stack, saleId: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.adminUrl })
  await client.connect()
  const { rows } = await client.query(
    `select j.kind, sum(e.amount)::int as sum, count(*)::int as entries
     from payments.journals j join payments.entries e on e.journal_id = j.id
     where j.sale_id = $1 group by j.id, j.kind`,
    [saleId],
  )
  await client.end()
  expect(rows).toEqual([{ kind: 'capture', sum: 0, entries: 5 }])
}

async function expectSold(
  stack: Stack,
  buyer: MarketplaceClient,
  seller: MarketplaceClient,
  listingId: string,
): Promise<void> {
  await expect.poll(async () => (await transactionFor(buyer, listingId))?.status).toBe('completed')
  expect(await transactionFor(seller, listingId)).toMatchObject({ status: 'completed', user_role: 'seller' })
  await expect
    .poll(async () => (await buyer.get<{ is_active: boolean }>(`/api/listings/${listingId}`)).is_active)
    .toBe(false)
  const sale = await transactionFor(buyer, listingId)
  await expectOneCapture(stack, sale?.id ?? '')
}

test('PAY-15 a purchase completes by the confirm call', async ({ stack }) => {
  const [seller, buyer] = await people(stack)
  const lamp = await listFixedPrice(seller, 'Lamp bought by confirm', 19.99)
  const intent = await buyNow(buyer, lamp.id)
  expect(intent.amount).toBe(2549)
  await payByCard(buyer, intent)
  await buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  expect((await buyer.get<{ is_active: boolean }>(`/api/listings/${lamp.id}`)).is_active).toBe(false)
  await expectSold(stack, buyer, seller, lamp.id)
})

test('a purchase completes by the webhook alone when the browser is closed', async ({ stack }) => {
  const [seller, buyer] = await people(stack)
  const lamp = await listFixedPrice(seller, 'Lamp bought by webhook', 19.99)
  await payByCard(buyer, await buyNow(buyer, lamp.id))
  await expectSold(stack, buyer, seller, lamp.id)
})

test('a purchase completes by the sweeper alone when the browser is closed and the webhook lost', async ({ stack }) => {
  const [seller, buyer] = await people(stack)
  await stack.services.cards.stop()
  await stack.services.cards.start({ WEBHOOKS: 'off' })
  const lamp = await listFixedPrice(seller, 'Lamp bought by the sweeper', 19.99)
  await payByCard(buyer, await buyNow(buyer, lamp.id))
  await expectSold(stack, buyer, seller, lamp.id)
})
