import type { Page } from '@playwright/test'
import { respondWith } from '../fixtures/page-fixture.ts'

export const stripeScript = 'https://js.stripe.com/**'

/** Makes the page use Stripe's card form instead of the form of the local card network. */
export async function useStripe(page: Page): Promise<void> {
  await respondWith(page, '**/api/stripe/config', {
    publishable_key: 'pk_test_1',
    api_base: null,
    fee_basis_points: 500,
  })
}

// The functions that react-stripe-js requires of Stripe's script. The card form is a text.
const script = `window.Stripe = () => {
  const element = {
    mount: (node) => { node.textContent = 'Card form of Stripe' },
    on() {}, off() {}, update() {}, destroy() {},
  }
  const elements = { create: () => element, getElement: () => element, update() {} }
  return { elements: () => elements, createToken() {}, createPaymentMethod() {}, confirmCardPayment() {} }
}
window.Stripe.version = 'endive'`

/** Replaces Stripe's script, because tests have no access to the internet. */
export async function fakeStripeScript(page: Page): Promise<void> {
  await page.route(stripeScript, (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
}
