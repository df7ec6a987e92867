import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, inAnHour, test } from '../src/shop.ts'

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

async function look(page: Page, state: string): Promise<void> {
  // What moves is looked at where it rests.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  )
  expect(await faults(page), state).toEqual([])
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing on any page, ${colorScheme}, ${width} wide`, async ({ shop }) => {
      test.slow()
      const member = await shop.signIn('Ada')
      const { page, calls } = member
      const { visitor } = shop
      for (const each of [page, visitor]) {
        await each.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await each.setViewportSize({ width, height: 900 })
      }
      const pictures = [1, 2, 3].map((count) => `${shop.url}/favicon.svg?${count}`)
      const fixed = await shop.list({ title: 'Seen lamp', price: 9, accept_offers: true, image_urls: pictures })
      const auction = await shop.list({
        title: 'Seen watch',
        is_auction: true,
        starting_bid: 5,
        buy_it_now_price: 50,
        auction_end_date: inAnHour(),
      })
      const sale = await shop.list({ title: 'Seen sofa', price: 70, is_on_sale: true, original_price: 100 })
      await calls.post('/api/bids', { listing_id: auction.id, amount: 6 })
      await calls.post('/api/offers', { listing_id: fixed.id, amount: 5, message: 'For cash?' })
      await calls.post('/api/watchlist', { listing_id: sale.id })
      await calls.post('/api/conversations', { listing_id: fixed.id, message_text: 'Is it there?' })

      for (const [path, heading] of [
        ['/', /./],
        ['/?search=seen', /seen/],
        ['/?search=zzzzqq&view=list', /zzzzqq/],
        [`/listing/${fixed.id}`, 'Seen lamp'],
        [`/listing/${auction.id}`, 'Seen watch'],
        ['/create-listing', 'Sell an item'],
        ['/my-listings', 'My Listings'],
        ['/messages', 'Messages'],
        ['/transactions', 'Transactions'],
        ['/watchlist', 'My Favorites'],
        ['/notification-preferences', 'Notification Preferences'],
        ['/terms', /Terms/],
        ['/privacy', /Privacy/],
        ['/nowhere', 'Page not found'],
      ] as const) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
        await look(page, `${path} of a member`)
      }
      for (const path of ['/', `/listing/${auction.id}`, '/sign-in', '/listing/unknown']) {
        await visitor.goto(path)
        await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
        await look(visitor, `${path} of a visitor`)
      }
    })

    test(`axe finds nothing in what opens, ${colorScheme}, ${width} wide`, async ({ shop }) => {
      test.slow()
      const { page } = await shop.signIn('Ada')
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      const item = await shop.list({
        title: 'Opened lamp',
        price: 9,
        accept_offers: true,
        image_urls: [`${shop.url}/favicon.svg`],
      })
      await page.goto(`/listing/${item.id}`)
      await page.getByRole('button', { name: 'Make Offer' }).click()
      await page.getByRole('button', { name: 'Send Offer' }).click()
      await look(page, 'an offer with a problem')
      await page.getByRole('button', { name: 'Close dialog' }).click()
      await page.getByRole('button', { name: 'Message Seller' }).click()
      await expect(page.getByLabel('Your message')).toBeVisible()
      await look(page, 'a message')
      await page.getByRole('button', { name: 'Close dialog' }).click()
      await page.getByRole('button', { name: 'Opened lamp', exact: true }).click()
      await expect(page.getByRole('dialog', { name: 'Picture' })).toBeVisible()
      await look(page, 'a picture')
      await page.getByRole('button', { name: 'Close dialog' }).click()
      await page.getByRole('button', { name: 'Buy Now' }).click()
      await expect(page.getByRole('dialog', { name: 'Confirm Purchase' })).toBeVisible()
      await look(page, 'a confirmation')
      await page.getByRole('button', { name: 'Continue to Payment' }).click()
      await expect(page.getByLabel('Card number')).toBeVisible()
      await look(page, 'a payment')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Help chat' }).click()
      await expect(page.getByRole('dialog', { name: 'Assistant' })).toBeVisible()
      await look(page, 'the assistant')
      await page.getByRole('button', { name: 'General Questions' }).click()
      await look(page, 'a conversation')
      await page.getByRole('button', { name: 'Close assistant' }).click()
      await page.goto('/create-listing')
      await page.getByRole('button', { name: 'Create Listing' }).click()
      await expect(page.getByText('Title is required')).toBeVisible()
      await look(page, 'a form with problems')
      await page.goto('/')
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByLabel('Min price')).toBeVisible()
      await look(page, 'filters')
      await page.goto('/')
      await page.getByRole('main').getByRole('combobox', { name: 'Search listings' }).fill('opened')
      await expect(
        page
          .getByRole('main')
          .getByRole('option', { name: /opened/i })
          .first(),
      ).toBeVisible()
      await look(page, 'suggestions')
    })
  }
}
