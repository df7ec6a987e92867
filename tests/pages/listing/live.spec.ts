import { buyNow, payByCard } from '../../support/processes/people.ts'
import { callsOf, expect, holdCalls, inAnHour, inMs, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

const auction = { is_auction: true, starting_bid: 10 }

test('a dropped live stream reconnects and continues', async ({ marketplace }) => {
  const { visitor } = marketplace
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Dropped stream', ...auction, auction_end_date: inAnHour() })
  let opened = 0
  await visitor.route('**/api/auctions/*/stream', (route) => {
    opened++
    if (opened > 1) return route.fallback()
    return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 100\n\n' })
  })
  await visitor.goto(`/listing/${item.id}`)
  await expect.poll(() => opened).toBeGreaterThan(1)
  // The listing's reads get no response from now on, so the update can only come through the stream.
  await visitor.route(`**/api/listings/${item.id}`, () => {})
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 20 })
  await expect(visitor.getByRole('region', { name: 'Price' }).getByText('$20.00')).toBeVisible()
})

test('a fixed-price item bought by another user is marked without a reload', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Bought meanwhile', price: 10 })
  await page.clock.install()
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
  const intent = await buyNow(rival.calls, item.id)
  await payByCard(rival.calls, intent)
  await rival.calls.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  await page.clock.fastForward(10_000)
  await expect(page.getByText('This item is no longer available.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy Now' })).toHaveCount(0)
})

test('a bid and a message are shown before the server responds', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Prompt bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  const releaseBid = await holdCalls(page, '**/api/bids')
  await page.getByLabel('Bid amount').fill('12')
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Placing your bid of $12.00…' })).toBeVisible()
  releaseBid()
  await expect(page.getByText("You're the highest bidder.")).toBeVisible()

  await calls.post('/api/conversations', { listing_id: item.id, message_text: 'Hello' })
  await page.goto('/messages')
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  const log = page.getByRole('log', { name: 'Messages' })
  await expect(log.getByRole('listitem')).toHaveCount(1)
  const releaseMessage = await holdCalls(page, '**/api/messages')
  await page.getByLabel('Message', { exact: true }).fill('One more thing')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(log.getByRole('listitem').filter({ hasText: 'One more thing' })).toContainText('Sending…')
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('')
  releaseMessage()
  await expect(log.getByText('Sending…')).toHaveCount(0)
  await expect(log.getByRole('listitem').filter({ hasText: 'One more thing' })).toHaveCount(1)
})

test('times are relative, and exact on hover', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Cerise timetable', ...auction, auction_end_date: inMs(7_200_000) })
  await calls.post('/api/bids', { listing_id: item.id, amount: 11 })
  await calls.post('/api/conversations', { listing_id: item.id, message_text: 'Hello' })
  const exact = /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2} [AP]M$/
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByText('Just now')).toHaveAttribute('title', exact)
  await expect(page.getByRole('region', { name: 'Price' }).locator('time')).toHaveAttribute('title', exact)
  await expect(page.getByRole('region', { name: 'Bid history' }).locator('time')).toHaveAttribute('title', exact)
  await page.goto('/messages')
  const row = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
  await expect(row.locator('time')).toHaveAttribute('title', exact)
  await row.click()
  await expect(page.getByRole('log', { name: 'Messages' }).locator('time')).toHaveAttribute('title', exact)
  await page.goto('/?search=cerise timetable')
  await expect(page.getByRole('link', { name: 'Cerise timetable' })).toHaveAttribute('title', /^Ends [A-Z][a-z]{2} /)
})

test('the buyer of an accepted offer pays the offer, not the listed price', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Agreed lamp', price: 40, accept_offers: true })
  const offer = await calls.post<{ id: string }>('/api/offers', { listing_id: item.id, amount: 35 })
  await marketplace.seller.post(`/api/offers/${offer.id}/accept`)
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByText(/Your \$35\.00 offer was accepted\./)).toBeVisible()
  await expect(page.getByRole('button', { name: /Buy Now|Make Offer/ })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Pay now' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible()
})

test('the winner of an auction sees the win on its page, with a link to pay', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Won meanwhile', ...auction, auction_end_date: inMs(12_000) })
  await calls.post('/api/bids', { listing_id: item.id, amount: 12 })
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByText('You won this auction for $12.00.')).toBeVisible({ timeout: 40_000 })
  await page.getByRole('main').getByRole('link', { name: 'Pay now' }).click()
  await expect(page.getByText('Auction Won')).toBeVisible()
})

test('leaving a checkout by the browser’s back button releases the item', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Indigo left behind', price: 10 })
  await openHydrated(page, '/?search=indigo left behind')
  await page.getByRole('link', { name: 'Indigo left behind' }).click()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Search results for indigo left behind' })).toBeVisible()
  const body = { listing_id: item.id, transaction_type: 'buy_now' }
  await expect.poll(async () => (await rival.calls.send('POST', '/api/payments/create-intent', body)).status).toBe(201)
})

test('an incomplete card is not sent, and the field is marked and focused', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Empty card', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  const sent = callsOf(page, '/v1/payment_intents')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('alert')).toHaveText('Payment failed: Your card number is incomplete.')
  await expect(page.getByLabel('Card number')).toBeFocused()
  await expect(page.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'true')
  expect(sent).toEqual([])
})

for (const { name, open, send, call } of [
  { name: 'an offer', open: 'Make Offer', send: /^Send Offer/, call: '/api/offers' },
  { name: 'a message', open: 'Message Seller', send: 'Send Message', call: '/api/conversations' },
]) {
  test(`a double click sends ${name} once`, async ({ marketplace }) => {
    const { page } = await marketplace.signIn('Bo')
    const item = await marketplace.list({ title: `Doubled ${name}`, price: 10, accept_offers: true })
    await page.goto(`/listing/${item.id}`)
    await page.getByRole('button', { name: open }).click()
    await page.getByLabel(/^Your (offer|message)/).fill('12')
    const calls = callsOf(page, call)
    const release = await holdCalls(page, `**${call}`)
    await page.getByRole('button', { name: send }).dblclick()
    release()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
}
