import type { Locator, Page } from '@playwright/test'
import { expect, inAnHour, test } from '../../support/fixtures/page-fixture.ts'

const most = 80

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < most; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused({ timeout: 1 })
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

const auction = { is_auction: true, starting_bid: 10, auction_end_date: inAnHour() }

test('a search, a result and the way back work by keyboard alone', async ({ marketplace }) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Vermilion typewriter', price: 40 })
  await visitor.goto('/')
  await press(visitor, visitor.getByRole('link', { name: 'Skip to content' }))
  await type(
    visitor,
    visitor.getByRole('main').getByRole('combobox', { name: 'Search listings' }),
    'vermilion typewriter',
  )
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Search results for vermilion typewriter' })).toBeVisible()
  await press(visitor, visitor.getByRole('link', { name: 'Vermilion typewriter' }))
  await expect(visitor.getByRole('heading', { level: 1, name: 'Vermilion typewriter' })).toBeFocused()
  await press(visitor, visitor.getByRole('main').getByRole('link', { name: 'Sign In' }))
  await expect(visitor.getByRole('heading', { level: 1, name: /Welcome/ })).toBeFocused()
  await visitor.goBack()
  await press(visitor, visitor.getByRole('link', { name: 'Back to listings' }))
  await expect(visitor).toHaveURL('/?search=vermilion+typewriter')
})

test('bidding and the gallery work by keyboard alone', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const image_urls = [1, 2].map((count) => `${marketplace.url}/favicon.svg?${count}`)
  const item = await marketplace.list({ title: 'Keyed clock', image_urls, ...auction })
  await page.goto(`/listing/${item.id}`)
  await tabTo(page, page.getByRole('button', { name: 'Keyed clock, photo 1 of 2' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Keyed clock, photo 2 of 2' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Picture' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Keyed clock, photo 2 of 2' })).toBeFocused()
  await type(page, page.getByLabel('Bid amount'), '$12')
  await page.keyboard.press('Enter')
  await expect(page.getByText("You're the highest bidder.")).toBeVisible()
  await expect(page.getByLabel('Bid amount')).toBeFocused()
})

test('a purchase works by keyboard alone, and each dialog gets and returns the focus', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Keyed lamp', price: 10 })
  await page.goto(`/listing/${item.id}`)
  const buy = page.getByRole('button', { name: 'Buy Now' })
  await press(page, buy)
  await expect(page.getByRole('button', { name: 'Continue to Payment', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(buy).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Continue to Payment', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Card number')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(buy).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Continue to Payment', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await type(page, page.getByLabel('Card number'), '4242424242424242')
  await type(page, page.getByLabel('Expiry date'), '1240')
  await type(page, page.getByLabel('CVC'), '123')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Payment successful! Your purchase is complete.')
  await expect(page.getByRole('heading', { level: 1, name: 'Keyed lamp' })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Dismiss' }))
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('an offer and a message work by keyboard alone, and Tab stays in the dialog', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Keyed chair', price: 30, accept_offers: true })
  await page.goto(`/listing/${item.id}`)
  const offer = page.getByRole('button', { name: 'Make Offer' })
  await press(page, offer)
  const dialog = page.getByRole('dialog', { name: 'Make an Offer' })
  await expect(dialog.getByLabel('Your offer')).toBeFocused()
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await type(page, dialog.getByLabel('Your offer'), '25')
  await press(page, dialog.getByRole('button', { name: 'Send Offer of $25.00' }))
  await expect(page.getByRole('alert')).toContainText('Offer sent.')
  await expect(offer).toBeFocused()
  const write = page.getByRole('button', { name: 'Message Seller' })
  await press(page, write)
  await expect(page.getByLabel('Your message')).toBeFocused()
  await page.keyboard.type('Is it there?')
  await press(page, page.getByRole('button', { name: 'Send Message' }))
  await expect(page.getByRole('alert').filter({ hasText: 'Message sent.' })).toBeVisible()
  await expect(write).toBeFocused()
})

test('a new listing and the preferences work by keyboard alone', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/create-listing')
  await type(page, page.getByLabel('Title'), 'Keyed table')
  await tabTo(page, page.getByLabel('Category'))
  await page.keyboard.press('ArrowDown')
  await press(page, page.getByLabel('Sell as an auction'), 'Space')
  await press(page, page.getByLabel('Sell as an auction'), 'Space')
  await type(page, page.getByRole('spinbutton', { name: 'Price', exact: true }), '1,234.50')
  await type(page, page.getByLabel('Image URL'), `${marketplace.url}/favicon.svg`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Added images' }).getByRole('listitem')).toHaveCount(1)
  await press(page, page.getByRole('button', { name: 'Create Listing' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Keyed table' })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$1,234.50')).toBeVisible()
  await press(page, page.getByRole('contentinfo').getByRole('link', { name: 'Notifications' }))
  await press(page, page.getByLabel('Seller Offers'), 'Space')
  await press(page, page.getByRole('button', { name: 'Save Preferences' }))
  await expect(page.getByRole('status').filter({ hasText: 'Preferences Saved!' })).toBeVisible()
})

test('messages, favorites and filters work by keyboard alone', async ({ marketplace }) => {
  const buyer = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Amaranth stool', price: 30 })
  await buyer.calls.post('/api/conversations', { listing_id: item.id, message_text: 'Hello' })
  const { page } = buyer
  await page.goto('/messages')
  await press(page, page.getByRole('navigation', { name: 'Conversations' }).getByRole('link'))
  await type(page, page.getByLabel('Message', { exact: true }), 'Still there?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log', { name: 'Messages' }).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
  await page.goto('/?search=amaranth stool')
  const toggle = page.getByRole('button', { name: 'Favorite Amaranth stool' })
  await press(page, toggle, 'Space')
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await press(page, page.getByRole('button', { name: 'Filters' }))
  await type(page, page.getByLabel('Min price'), '20')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/minPrice=20/)
})

test('the menu of a phone and the assistant work by keyboard alone', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/terms')
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  await press(page, menu)
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'My Listings' }))
  await expect(page.getByRole('heading', { level: 1, name: 'My Listings' })).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Help chat' }))
  await press(page, page.getByRole('button', { name: 'General Questions' }))
  await type(page, page.getByLabel('Your question'), 'How do I pay?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log').getByText('How do I pay?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Help chat' })).toBeFocused()
})
