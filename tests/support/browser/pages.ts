import type { Browser, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { fillCard } from './card-form.ts'

/** Opens a new browser profile and signs in through the pages: ours, the provider's picker, our callback. */
export async function signInAs(browser: Browser, url: string, email: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign In with Email' }).click()
  await page.getByLabel('Use another email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(/^Welcome/)).toBeVisible()
  await page.waitForURL((address) => !address.pathname.startsWith('/auth'))
  return page
}

/** An item to list. `fill` fills in the fields that differ between items. */
export interface ListingEntry {
  title: string
  category: string
  fill: (page: Page) => Promise<void>
}

/** Lists an item through the form and returns the listing's id. */
export async function listByForm(page: Page, { title, category, fill }: ListingEntry): Promise<string> {
  await page.goto('/create-listing')
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Category').selectOption({ label: category })
  await fill(page)
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  return page.url().split('/').at(-1) ?? ''
}

/** Repeats a search on the home page until it finds the item, then opens it. The search index is updated within 2 s of a change. */
export async function openBySearch(page: Page, term: string, title: string): Promise<void> {
  await page.goto('/')
  const box = page.getByRole('main').getByRole('combobox', { name: 'Search listings' })
  await box.fill(term)
  await box.press('Enter')
  await expect(page.getByRole('heading', { name: `Search results for ${term}` })).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('link', { name: title }).first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByRole('link', { name: title }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export async function placeBid(page: Page, dollars: string): Promise<void> {
  await page.getByLabel('Bid amount').fill(dollars)
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByLabel('Bid amount')).toHaveValue('')
}

/** Buys the open fixed-price listing with a card that succeeds. */
export async function buyByCard(page: Page, total: string): Promise<void> {
  await page.getByRole('button', { name: 'Buy Now' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm Purchase' })
  await expect(confirm.getByText('Marketplace Fee (5%)')).toBeVisible()
  await expect(confirm.getByText(total)).toBeVisible()
  await confirm.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  const payment = page.getByRole('dialog', { name: 'Complete Payment' })
  await fillCard(payment)
  await payment.getByRole('button', { name: `Pay ${total}` }).click()
  await expect(page.getByRole('alert').getByText('Payment successful! Your purchase is complete.')).toBeVisible()
}
