import { pay } from '../../support/browser/card-form.ts'
import { openPayment } from '../../support/browser/checkout.ts'
import { fakeStripeScript, stripeScript, useStripe } from '../../support/browser/stripe-script.ts'
import { expect, failCalls, test } from '../../support/fixtures/page-fixture.ts'
import { buyNow, payByCard, type Intent } from '../../support/processes/people.ts'

const intents = '**/api/payments/create-intent'
const confirmations = '**/v1/payment_intents/*/confirm'

test('PAY-10 the dialog shows an error and can be closed when the payment system does not load', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'No system', price: 10 })
  await failCalls(page, '**/api/stripe/config', { status: 400 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByText('Failed to load payment system')).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('PAY-10 the dialog shows an error when Stripe’s script is blocked, and loads it again when it is reopened', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Blocked script', price: 10 })
  await useStripe(page)
  await page.route(stripeScript, (route) => route.abort())
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to load payment system')
  const canceled = page.waitForResponse('**/api/payments/cancel')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await canceled
  await page.unroute(stripeScript)
  await fakeStripeScript(page)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByText('Card form of Stripe')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pay $10.50' })).toBeVisible()
})

for (const [failure, words] of [
  [{ status: 409, error: 'Someone else is buying this.' }, 'Someone else is buying this.'],
  [{ status: 500 }, 'Failed to initiate payment'],
  ['network', 'Failed to initiate payment'],
] as const) {
  test(`PAY-11 the error of a failed intent is shown: ${JSON.stringify(failure)}`, async ({ marketplace }) => {
    const { page } = await marketplace.signIn('Bo')
    const item = await marketplace.list({ title: 'No intent', price: 10 })
    await failCalls(page, intents, failure)
    await page.goto(`/listing/${item.id}`)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText(words)
    await expect(page.getByRole('dialog', { name: 'Confirm Purchase' })).toBeVisible()
  })
}

test('PAY-11 the error stays in Confirm Purchase until it is dismissed when another buyer has bought the item', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Sold before the intent', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm Purchase' })
  await expect(dialog).toBeVisible()
  const intent = await buyNow(rival.calls, item.id)
  await payByCard(rival.calls, intent)
  await rival.calls.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  await dialog.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByText(/^This item is no longer available\. Sold on/)).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveText('This item has been sold.')
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('PAY-16 a payment whose response was lost is complete when the buyer pays again', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Lost response', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await openPayment(page)
  await page.route(
    confirmations,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText('Payment failed: Payment processing failed')
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(page.getByRole('alert')).toHaveText('Payment successful! Your purchase is complete.')
  await expect(page.getByText(/^You bought this item/)).toBeVisible()
})

test('a payment that the bank is processing is not shown as failed, and the purchase appears when it is made', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Undecided bank', price: 10 })
  await page.clock.install()
  await page.goto(`/listing/${item.id}`)
  const created = page.waitForResponse(intents)
  await openPayment(page)
  const intent: Intent = await (await created).json()
  // The card network of this stack decides at once, so its response is replaced.
  const json = { id: intent.payment_intent_id, status: 'processing', last_payment_error: null }
  await page.route(confirmations, (route) => route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json }))
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText(
    "Your payment is being processed. This page will update when it's complete.",
  )
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(/^You bought this item/)).toHaveCount(0)
  await payByCard(calls, intent)
  const status = async () => (await calls.get<{ status: string }>(`/api/listings/${item.id}`)).status
  await expect.poll(status).toBe('sold')
  await page.clock.fastForward(10_000)
  await expect(page.getByText(/^You bought this item/)).toBeVisible()
})
