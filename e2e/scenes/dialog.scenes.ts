import { expect, type Page } from '@playwright/test'
import { goodCard, pay } from '../src/card-form.ts'
import type { Market } from '../src/market.ts'
import { seeHeading, type Scene } from '../src/scene.ts'
import { failing, inMs } from '../src/shop.ts'

async function openItem(page: Page, market: Market): Promise<void> {
  await page.goto(`/listing/${(await market.find('City bicycle')).id}`)
  await seeHeading(page, /City bicycle/)
}

async function openOwn(page: Page, market: Market): Promise<void> {
  const item = await market.list({
    title: 'Cast-iron pan, 26 cm, seasoned',
    price: 29,
    shipping_cost: 9,
    accept_offers: true,
    image_urls: [1, 2].map((view) => market.picture(`cast-iron-pan-26-cm-seasoned-${view}`)),
  })
  await page.goto(`/listing/${item.id}`)
  await seeHeading(page, item.title)
}

function over(name: string, open: Scene['open'], as: Scene['as'] = 'newcomer'): Scene {
  return { name, as, isOverlay: true, open }
}

async function openPayment(page: Page, market: Market): Promise<void> {
  await openOwn(page, market)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
}

export const dialogScenes: Scene[] = [
  over('dialog-offer', async (page, market) => {
    await openItem(page, market)
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByLabel('Your offer').fill('180')
    await page.getByLabel('Message (optional)').fill('I could collect it on Saturday.')
  }),
  over('dialog-offer-wrong', async (page, market) => {
    await openItem(page, market)
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByRole('button', { name: 'Send Offer' }).click()
  }),
  over('dialog-offer-too-long', async (page, market) => {
    await openItem(page, market)
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByLabel('Message (optional)').fill('I could collect it on Saturday. '.repeat(40))
    await expect(page.getByText('Message can have at most 1000 characters')).toBeVisible()
  }),
  over('dialog-offer-refused', async (page, market) => {
    await openItem(page, market)
    await failing(page, '**/api/offers', { status: 409, error: 'This item was sold a moment ago.' }, 'POST')
    await page.getByRole('button', { name: 'Make Offer' }).click()
    await page.getByLabel('Your offer').fill('180')
    await page.getByRole('button', { name: /^Send Offer/ }).click()
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  over(
    'dialog-counter',
    async (page, market) => {
      await page.goto(`/listing/${(await market.find('Leather handbag')).id}`)
      await page.getByRole('button', { name: 'Counter' }).first().click()
      await page.getByLabel('Your offer').fill('138.50')
    },
    'owner',
  ),
  over('dialog-message', async (page, market) => {
    await openItem(page, market)
    await page.getByRole('button', { name: 'Message Seller' }).click()
    await expect(page.getByLabel('Your message')).toBeVisible()
  }),
  over('dialog-message-refused', async (page, market) => {
    await openItem(page, market)
    await failing(page, '**/api/conversations', { status: 500 }, 'POST')
    await page.getByRole('button', { name: 'Message Seller' }).click()
    await page.getByLabel('Your message').fill('Is the rack included, and would it fit somebody of 1.60 m?')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  over('dialog-picture', async (page, market) => {
    await openOwn(page, market)
    await page.getByRole('button', { name: /picture 1 of 2/ }).click()
    await expect(page.getByRole('dialog', { name: 'Picture' })).toBeVisible()
  }),
  over('dialog-confirm', async (page, market) => {
    await openItem(page, market)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm Purchase' })).toBeVisible()
  }),
  over('dialog-confirm-refused', async (page, market) => {
    await openItem(page, market)
    const error = 'Someone else is buying this item. Try again in 10 minutes.'
    await failing(page, '**/api/payments/create-intent', { status: 409, error })
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  over('dialog-payment', openPayment),
  over('dialog-payment-declined', async (page, market) => {
    await openPayment(page, market)
    await pay(page, '4000000000000002')
    await expect(page.getByRole('alert')).toBeVisible()
  }),
  over('dialog-payment-bank', async (page, market) => {
    await openPayment(page, market)
    await pay(page, '4000002500003155')
    await expect(page.getByRole('button', { name: 'Confirm payment' })).toBeVisible()
  }),
  over('dialog-payment-hold-ended', async (page, market) => {
    await page.route('**/api/payments/create-intent', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), expires_at: inMs(-1000) } })
    })
    await openOwn(page, market)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByRole('button', { name: 'Start Again' })).toBeVisible()
  }),
  over('dialog-payment-not-loaded', async (page, market) => {
    await failing(page, '**/api/stripe/config', { status: 400 })
    await openOwn(page, market)
    await page.getByRole('button', { name: 'Buy Now' }).click()
    await page.getByRole('button', { name: 'Continue to Payment' }).click()
    await expect(page.getByText('Failed to load payment system')).toBeVisible()
  }),
  over(
    'listing-bought',
    async (page, market) => {
      await openPayment(page, market)
      await pay(page, goodCard)
      await expect(page.getByText('Payment successful!')).toBeVisible()
    },
    // Not the newcomer, who has bought nothing.
    'buyer',
  ),
]
