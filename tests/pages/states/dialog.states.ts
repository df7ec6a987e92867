import { expect, type Page } from '@playwright/test'
import { goodCard, pay } from '../../support/browser/card-form.ts'
import type { DemoFixture } from '../../support/fixtures/demo-fixture.ts'
import { waitForPage, type PageState } from '../../support/fixtures/page-state.ts'
import { failCalls, inMs } from '../../support/fixtures/page-fixture.ts'

async function openItem(page: Page, demo: DemoFixture): Promise<void> {
  await page.goto(`/listing/${(await demo.find('Black road bicycle')).id}`)
  await waitForPage(page, /Black road bicycle/)
}

async function openOwn(page: Page, demo: DemoFixture): Promise<void> {
  const item = await demo.list({
    title: 'Two plants in pots',
    price: 29,
    shipping_cost: 9,
    accept_offers: true,
    image_urls: ['charles-deluvio-695736', 'silvia-agrasar-227575'].map(demo.picture),
  })
  await page.goto(`/listing/${item.id}`)
  await waitForPage(page, item.title)
}

function overlay(name: string, open: PageState['open'], as: PageState['as'] = 'newcomer'): PageState {
  return { name, as, isOverlay: true, open }
}

async function openPayment(page: Page, demo: DemoFixture): Promise<void> {
  await openOwn(page, demo)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
}

export const dialogStates: PageState[] = [
  overlay('dialog-offer', async (page, demo) => {
    await openItem(page, demo)
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByLabel('Your offer').fill('800')
    await page.getByLabel('Message (optional)').fill('I could collect it on Saturday.')
  }),
  overlay('dialog-offer-wrong', async (page, demo) => {
    await openItem(page, demo)
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByRole('button', { name: 'Send Offer' }).click()
  }),
  overlay('dialog-offer-too-long', async (page, demo) => {
    await openItem(page, demo)
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByLabel('Message (optional)').fill('I could collect it on Saturday. '.repeat(40))
    await expect(page.getByText('Message must be 1000 characters or fewer')).toBeVisible()
  }),
  overlay('dialog-offer-refused', async (page, demo) => {
    await openItem(page, demo)
    await failCalls(page, '**/api/offers', { status: 409, error: 'This item was sold a moment ago.' }, 'POST')
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByLabel('Your offer').fill('800')
    await page.getByRole('button', { name: /^Send Offer/ }).click()
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  overlay(
    'dialog-counter',
    async (page, demo) => {
      await page.goto(`/listing/${(await demo.find('White Nike high-top')).id}`)
      await page.getByRole('button', { name: 'Counter' }).first().click()
      await page.getByLabel('Your offer').fill('138.50')
    },
    'owner',
  ),
  overlay('dialog-message', async (page, demo) => {
    await openItem(page, demo)
    await page.getByRole('button', { name: 'Message Seller' }).click()
    await expect(page.getByLabel('Your message')).toBeVisible()
  }),
  overlay('dialog-message-refused', async (page, demo) => {
    await openItem(page, demo)
    await failCalls(page, '**/api/conversations', { status: 500 }, 'POST')
    await page.getByRole('button', { name: 'Message Seller' }).click()
    await page.getByLabel('Your message').fill('Are the pedals included, and would it fit somebody of 1.72 m?')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  overlay('dialog-picture', async (page, demo) => {
    await openOwn(page, demo)
    await page.getByRole('button', { name: /photo 1 of 2/ }).click()
    await expect(page.getByRole('dialog', { name: 'Picture' })).toBeVisible()
  }),
  overlay('dialog-confirm', async (page, demo) => {
    await openItem(page, demo)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm Purchase' })).toBeVisible()
  }),
  overlay('dialog-confirm-refused', async (page, demo) => {
    await openItem(page, demo)
    const error = 'Someone else is buying this item. Try again in 10 minutes.'
    await failCalls(page, '**/api/payments/create-intent', { status: 409, error })
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  overlay('dialog-payment', openPayment),
  overlay('dialog-payment-declined', async (page, demo) => {
    await openPayment(page, demo)
    await pay(page, '4000000000000002')
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  overlay('dialog-payment-bank', async (page, demo) => {
    await openPayment(page, demo)
    await pay(page, '4000002500003155')
    await expect(page.getByRole('button', { name: 'Confirm payment' })).toBeVisible()
  }),
  overlay('dialog-payment-hold-ended', async (page, demo) => {
    await page.route('**/api/payments/create-intent', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), expires_at: inMs(-1000) } })
    })
    await openOwn(page, demo)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
  }),
  overlay('dialog-payment-not-loaded', async (page, demo) => {
    await failCalls(page, '**/api/stripe/config', { status: 400 })
    await openOwn(page, demo)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
    await expect(page.getByText('Failed to load payment system')).toBeVisible()
  }),
  overlay(
    'listing-bought',
    async (page, demo) => {
      await openPayment(page, demo)
      await pay(page, goodCard)
      await expect(page.getByText('Payment successful!')).toBeVisible()
    },
    // The newcomer must keep an empty history.
    'buyer',
  ),
]
