import type { Page } from '@playwright/test'
import { expect, inAnHour, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

const phone = { width: 390, height: 844 }
const chat = (page: Page) => page.getByRole('button', { name: 'Help chat' })

/** Returns the size of the button and whether it covers an element of this selector. A hidden button covers nothing. */
async function measure(page: Page, selector: string) {
  return page.evaluate((covered) => {
    const button = document.querySelector('[aria-label="Help chat"]')
    if (button === null) throw new Error('There is no chat button.')
    const { left, right, top, bottom, width, height } = button.getBoundingClientRect()
    const isConcealed = getComputedStyle(button).opacity === '0'
    const covers = [...document.querySelectorAll(covered)].some((element) => {
      const other = element.getBoundingClientRect()
      return left < other.right && right > other.left && top < other.bottom && bottom > other.top
    })
    return { width, height, isConcealed, covers: covers && !isConcealed }
  }, selector)
}

/** Scrolls by steps through the page, down and up, and expects that the button never rests on an element of the selector. */
async function expectClear(page: Page, selector: string): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const places = Array.from({ length: Math.ceil(height / 150) }, (_, index) => index * 150)
  for (const y of [...places, ...places.toReversed()]) {
    await page.evaluate((top) => window.scrollTo(0, top), y)
    await expect.poll(async () => (await measure(page, selector)).covers, `at ${y} px`).toBe(false)
  }
}

test('SHELL-10 the chat button hides on scrolling down, and returns on scrolling up and at the end', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  for (const viewport of [phone, { width: 1280, height: 600 }]) {
    await visitor.setViewportSize(viewport)
    await openHydrated(visitor, '/terms')
    const isConcealed = async () => (await measure(visitor, 'nothing')).isConcealed
    expect(await isConcealed()).toBe(false)
    await visitor.evaluate(() => window.scrollTo(0, 300))
    await expect.poll(isConcealed).toBe(true)
    await visitor.evaluate(() => window.scrollTo(0, 200))
    await expect.poll(isConcealed).toBe(false)
    await visitor.evaluate(() => window.scrollTo(0, 400))
    await expect.poll(isConcealed).toBe(true)
    await visitor.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect.poll(isConcealed).toBe(false)
    await expect.poll(async () => (await measure(visitor, 'footer a, footer p, main p')).covers).toBe(false)
    await chat(visitor).click()
    await expect(visitor.getByRole('dialog', { name: 'Assistant' })).toBeVisible()
  }
})

test('SHELL-10 a hidden chat button appears when it gets the keyboard focus', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.setViewportSize(phone)
  await openHydrated(visitor, '/terms')
  await visitor.evaluate(() => window.scrollTo(0, 300))
  await expect.poll(async () => (await measure(visitor, 'nothing')).isConcealed).toBe(true)
  await visitor.keyboard.press('Tab')
  await chat(visitor).focus()
  await expect.poll(async () => (await measure(visitor, 'nothing')).isConcealed).toBe(false)
})

test('SHELL-10 the chat button is 44 px wide on a phone and covers neither bars nor the bid history', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const auction = { is_auction: true, starting_bid: 10, buy_it_now_price: 400, auction_end_date: inAnHour() }
  const item = await marketplace.list({ title: 'Clear lamp', ...auction })
  for (const amount of [11, 12, 13, 14, 15, 16]) await calls.post('/api/bids', { listing_id: item.id, amount })
  for (const viewport of [
    phone,
    { width: 667, height: 375 },
    { width: 1024, height: 768 },
    { width: 1280, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    await openHydrated(page, `/listing/${item.id}`)
    await expect(page.getByRole('button', { name: 'Place Bid' })).toBeAttached()
    await expect(page.getByRole('heading', { name: 'Bid history' })).toBeAttached()
    if (viewport === phone) expect(await measure(page, 'nothing')).toMatchObject({ width: 44, height: 44 })
    await expectClear(page, '[data-bottom-bar], section[aria-labelledby="bids"]')
  }
})

test('SHELL-10 the chat button does not cover the composer of Messages', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Asked lamp', price: 20 })
  await calls.post('/api/conversations', { listing_id: item.id, message_text: 'Is it still there?' })
  for (const viewport of [phone, { width: 1024, height: 768 }, { width: 1280, height: 900 }]) {
    await page.setViewportSize(viewport)
    await openHydrated(page, '/messages')
    await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
    const field = page.getByLabel('Message', { exact: true })
    await expectClear(page, '[data-bottom-bar]')
    await field.fill('One\ntwo\nthree\nfour')
    await expectClear(page, '[data-bottom-bar]')
    await field.fill('')
  }
})
