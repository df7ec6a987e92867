import type { Browser, Page } from '@playwright/test'
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { findPhotographs } from '@marketplace/stack/demo/photographs.ts'
import { fillCard } from '../../support/browser/card-form.ts'
import { tabTo } from '../../support/browser/tab-to.ts'
import { closePage, cookiesOf, expect, openHydrated, pagesUrl, test } from '../../support/fixtures/page-fixture.ts'
import { phone } from '../../support/fixtures/page-state.ts'

const photographs = findPhotographs().map(({ file }) => file)
const tiles = (page: Page) => page.getByRole('list', { name: 'Added images' }).getByRole('listitem')

/** Signs in on a device with a touch screen and without a mouse. */
async function openPhone(browser: Browser, email: string): Promise<Page> {
  const url = pagesUrl()
  const calls = await MarketplaceClient.signIn(url, email)
  const context = await browser.newContext({ baseURL: url, viewport: phone, hasTouch: true, isMobile: true })
  await context.addCookies(cookiesOf(calls, url))
  return context.newPage()
}

test('PHOTO-20 PHOTO-32 on a phone an item is photographed, listed and sold by touch', async ({ browser }, info) => {
  const seller = await openPhone(browser, `photographer-${info.testId}@example.com`)
  await seller.goto('/create-listing')
  const camera = seller.waitForEvent('filechooser')
  await seller.getByRole('button', { name: 'Take photo' }).tap()
  const chooser = await camera
  expect(chooser.isMultiple()).toBe(false)
  expect(await chooser.element().getAttribute('capture')).toBe('environment')
  await chooser.setFiles(photographs[0] ?? '')
  await expect(tiles(seller)).toHaveCount(1)
  await seller.getByLabel('Title').fill('Camera from a phone')
  await seller.getByLabel('Category').selectOption({ label: 'Cameras & Photo' })
  await seller.getByRole('spinbutton', { name: 'Price', exact: true }).fill('20')
  await seller.getByRole('button', { name: 'Create Listing' }).tap()
  await seller.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  const picture = seller.getByRole('region', { name: 'Pictures' }).getByRole('img', { name: 'Camera from a phone' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300)

  const buyer = await openPhone(browser, `phone-buyer-${info.testId}@example.com`)
  await buyer.goto(new URL(seller.url()).pathname)
  await buyer.getByRole('button', { name: 'Buy Now' }).tap()
  await buyer.getByRole('button', { name: 'Continue to Payment', exact: true }).tap()
  const payment = buyer.getByRole('dialog', { name: 'Complete Payment' })
  await fillCard(payment)
  await payment.getByRole('button', { name: /^Pay \$/ }).tap()
  await expect(buyer.getByText('Payment successful! Your purchase is complete.')).toBeVisible()
  await Promise.all([seller, buyer].map(closePage))
})

test('PHOTO-30 PHOTO-33 an item with photos is listed by keyboard alone', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Kay')
  await openHydrated(page, '/create-listing')
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible()
  await tabTo(page, page.getByLabel('Title'))
  await page.keyboard.type('Camera by keyboard')
  const category = page.getByLabel('Category')
  await expect(category.getByRole('option', { name: 'Cameras & Photo' })).toBeAttached()
  await tabTo(page, category)
  // The browser forgets the typed letters after a second, which can be too short for a word on a busy machine.
  await expect(async () => {
    await page.keyboard.type('Cam')
    const selected = await category.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)
    expect(selected).toBe('Cameras & Photo')
  }).toPass({ timeout: 30_000 })
  await tabTo(page, page.getByRole('spinbutton', { name: 'Price', exact: true }))
  await page.keyboard.type('20')
  await tabTo(page, page.getByRole('button', { name: 'Choose photos' }))
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(photographs.slice(0, 2))
  // The end of an upload replaces other announcements.
  await expect(tiles(page)).toHaveCount(2)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await tabTo(page, page.getByRole('button', { name: 'Options for photo 2' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Make main photo' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This is now the main photo')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Options for photo 1' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Create Listing' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('img', { name: 'Camera by keyboard, photo 1 of 2' })).toBeVisible()
})
