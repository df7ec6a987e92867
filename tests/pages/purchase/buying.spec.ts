import { orderSummary, pay } from '../../support/browser/card-form.ts'
import { holdingUntil, openPayment } from '../../support/browser/checkout.ts'
import { stopPolling } from '../../support/browser/page-clock.ts'
import { buyNow, payByCard, type Intent } from '../../support/processes/people.ts'
import { callsOf, expect, failCalls, holdCalls, inAnHour, inMs, test } from '../../support/fixtures/page-fixture.ts'

const intents = '**/api/payments/create-intent'
const paid = 'Payment successful! Your purchase is complete.'
const holdEnded = "Your hold on this item expired. You weren't charged."
const boughtEarly = 'Someone bought this item with Buy It Now before the auction ended.'

test('PAY-05 PAY-06 PAY-16 a purchase runs through confirmation, intent and payment with the same amounts', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Paid lamp', price: 19.99, shipping_cost: 4.5 })
  await stopPolling(page)
  const created = callsOf(page, '/api/payments/create-intent')
  const confirmed = callsOf(page, '/api/payments/confirm')
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm Purchase' })
  await expect(dialog.getByText('Marketplace Fee (5%)')).toBeVisible()
  expect(await orderSummary(page, 'Confirm Purchase')).toEqual(['$19.99', '$4.50', '$1.00', '$25.49'])
  expect(created).toEqual([])
  await dialog.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Complete Payment' }).getByLabel('Card number')).toBeVisible()
  expect(created.map(({ body }) => body)).toEqual([
    { listing_id: item.id, transaction_type: 'buy_now', listing_version: 1 },
  ])
  expect(await orderSummary(page, 'Complete Payment')).toEqual(['$19.99', '$4.50', '$1.00', '$25.49'])
  await expect(page.getByRole('button', { name: 'Pay $25.49' })).toBeVisible()
  const again = page.waitForRequest(`**/api/listings/${item.id}`)
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText(paid)
  await again
  expect(confirmed.map(({ body }) => body)).toEqual([{ payment_intent_id: expect.stringMatching(/^pi_/) }])
  await expect(page.getByText(/^You bought this item/)).toBeVisible()
})

test('PAY-05 an auction is bought at its buy-it-now price', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({
    title: 'Instant watch',
    is_auction: true,
    starting_bid: 10,
    buy_it_now_price: 100,
    shipping_cost: 5,
    auction_end_date: inAnHour(),
  })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy It Now' }).click()
  await expect(page.getByRole('dialog', { name: 'Confirm Purchase' })).toBeVisible()
  expect(await orderSummary(page, 'Confirm Purchase')).toEqual(['$100.00', '$5.00', '$5.00', '$110.00'])
  const request = page.waitForRequest(`**/api/auctions/${item.id}/buy-now`)
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  expect((await request).method()).toBe('POST')
  expect((await request).postDataJSON()).toEqual({ listing_version: 1 })
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText(paid)
  await expect(page.getByText('Bidding has ended.')).toBeVisible()
  await expect(page.getByText(boughtEarly)).toHaveCount(0)
})

test('a bidder is notified when an auction was bought before its planned end', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({
    title: 'Bought early',
    is_auction: true,
    starting_bid: 10,
    buy_it_now_price: 100,
    auction_end_date: inAnHour(),
  })
  await calls.post('/api/bids', { listing_id: item.id, amount: 20 })
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByRole('button', { name: 'Place Bid' })).toBeVisible()
  await expect(page.getByText(boughtEarly)).toHaveCount(0)
  const intent = await rival.calls.post<Intent>(`/api/auctions/${item.id}/buy-now`, {})
  await payByCard(rival.calls, intent)
  await rival.calls.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  await expect(page.getByText('Bidding has ended.')).toBeVisible()
  await expect(page.getByText(boughtEarly)).toBeVisible()
})

test('PAY-07 a canceled payment makes the item available to others', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const other = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Given back', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await openPayment(page)
  const buy = () =>
    other.calls.send('POST', '/api/payments/create-intent', { listing_id: item.id, transaction_type: 'buy_now' })
  expect((await buy()).status).toBe(409)
  await page.getByRole('dialog', { name: 'Complete Payment' }).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
  await expect.poll(async () => (await buy()).status).toBe(201)
})

test('PAY-07 canceling while the payment is being prepared makes the item available again', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Canceled early', price: 10 })
  const release = await holdCalls(page, intents)
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm Purchase' })
  await dialog.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  const canceled = page.waitForResponse('**/api/payments/cancel')
  release()
  expect((await canceled).ok()).toBe(true)
  const status = async () => (await marketplace.seller.get<{ status: string }>(`/api/listings/${item.id}`)).status
  await expect.poll(status).toBe('active')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('PAY-08 a declined card is shown inline and in an alert, and another card succeeds', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Second card', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await openPayment(page)
  await pay(page, '4000000000000002')
  await expect(page.getByRole('alert')).toHaveText('Payment failed: Your card was declined.')
  await expect(page.getByText('Your card was declined.', { exact: true })).toBeVisible()
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText(paid)
})

test('PAY-08 the error is Payment failed when the provider sends no message', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Wordless', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await openPayment(page)
  await page.route('**/v1/payment_intents/*/confirm', (route) =>
    route.fulfill({ status: 402, headers: { 'access-control-allow-origin': '*' }, json: {} }),
  )
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText('Payment failed: Payment failed')
  await expect(page.getByText('Payment failed', { exact: true })).toBeVisible()
})

test('PAY-09 the error is Payment processing failed when the confirmation throws', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Thrown', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await openPayment(page)
  await failCalls(page, '**/v1/payment_intents/*/confirm', 'network')
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText('Payment failed: Payment processing failed')
  await expect(page.getByText('Payment processing failed', { exact: true })).toBeVisible()
})

test('PAY-09 the error is Card element not found when the card form has not loaded', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'No form', price: 10 })
  const release = await holdCalls(page, '**/api/stripe/config')
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('alert')).toHaveText('Payment failed: Card element not found')
  await expect(page.getByText('Card element not found', { exact: true })).toBeVisible()
  release()
})

test('a card that requires authentication is charged once it is confirmed', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Asking bank', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await openPayment(page)
  await pay(page, '4000002500003155')
  await page.getByRole('button', { name: 'Confirm payment' }).click()
  await expect(page.getByRole('alert')).toHaveText(paid)
})

test('payment ends with the hold by the server’s clock, and the checkout can start again', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Held too long', price: 10 })
  await page.clock.install({ time: Date.now() + 24 * 3_600_000 })
  await page.goto(`/listing/${item.id}`)
  await holdingUntil(page, inMs(20_000))
  await openPayment(page)
  await expect(page.getByText(/We're holding this item for you until/)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(holdEnded)
  await expect(page.getByText(/We're holding this item for you until/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toHaveCount(0)
  const again = page.getByRole('button', { name: 'Try Again' })
  await expect(again).toBeFocused()
  await again.click()
  await expect(page.getByRole('dialog', { name: 'Confirm Purchase' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText(paid)
})

test('a payment that is pending when the hold ends completes', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Paid at the last moment', price: 10 })
  await page.goto(`/listing/${item.id}`)
  const endsAt = Date.now() + 20_000
  await holdingUntil(page, new Date(endsAt).toISOString())
  await openPayment(page)
  const release = await holdCalls(page, '**/v1/payment_intents/*/confirm')
  await pay(page)
  // Two seconds longer, because the page checks the clock once per second.
  await expect.poll(() => Date.now()).toBeGreaterThan(endsAt + 2_000)
  await expect(page.getByRole('dialog', { name: 'Complete Payment' })).toBeVisible()
  await expect(page.getByText(holdEnded)).toHaveCount(0)
  release()
  await expect(page.getByRole('alert')).toHaveText(paid)
})

test('a checkout that was canceled elsewhere shows one error and can start again', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Canceled elsewhere', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await openPayment(page)
  const { payment_intent_id } = await buyNow(calls, item.id)
  await calls.post('/api/payments/cancel', { payment_intent_id })
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText(holdEnded)
  await expect(page.getByText(/You cannot confirm/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText(paid)
})

test('a checkout cannot start again when a bid has ended the buy-it-now price', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({
    title: 'Outbid meanwhile',
    is_auction: true,
    starting_bid: 10,
    buy_it_now_price: 100,
    auction_end_date: inAnHour(),
  })
  await page.goto(`/listing/${item.id}`)
  await holdingUntil(page, inMs(20_000))
  await openPayment(page)
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 150 })
  await expect(page.getByRole('alert')).toHaveText(holdEnded)
  await expect(page.getByRole('button', { name: 'Try Again' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Buy It Now' })).toHaveCount(0)
})
