import type { Locator, Page } from '@playwright/test'
import { fillCard } from '../src/card-form.ts'
import { haggle, offers } from '../src/haggle.ts'
import { expect, test } from '../src/shop.ts'

async function press(target: Locator): Promise<void> {
  await target.focus()
  await target.press('Enter')
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** An offer of the buyer's on a listing of the owner's. */
async function offered(shop: Parameters<typeof haggle>[0], title: string) {
  const { owner, buyer, item } = await haggle(shop, title)
  await buyer.calls.post('/api/offers', { listing_id: item.id, amount: 30 })
  return { owner: owner.page, buyer: buyer.page }
}

for (const answer of ['Reject', 'Accept $30.00']) {
  test(`the heading of Transactions takes the focus of an answer that goes away: ${answer}`, async ({ shop }) => {
    const { owner } = await offered(shop, 'Focused lamp')
    await owner.goto('/transactions')
    await press(offers(owner).getByRole('button', { name: answer }))
    await expect(offers(owner).getByText('Earlier offers (1)')).toBeVisible()
    await expect(heading(owner)).toBeFocused()
  })
}

test('the heading of Transactions takes the focus of a Withdraw that goes away', async ({ shop }) => {
  const { buyer } = await offered(shop, 'Focused chair')
  await buyer.goto('/transactions')
  await press(offers(buyer).getByRole('button', { name: 'Withdraw' }))
  await expect(offers(buyer).getByText('Earlier offers (1)')).toBeVisible()
  await expect(heading(buyer)).toBeFocused()
})

test('the heading of Transactions takes the focus of a Counter that goes away once its own is sent', async ({
  shop,
}) => {
  const { owner } = await offered(shop, 'Focused table')
  await owner.goto('/transactions')
  await press(offers(owner).getByRole('button', { name: 'Counter' }))
  await owner.getByLabel('Your offer').fill('40')
  await owner.getByLabel('Your offer').press('Enter')
  await expect(offers(owner).getByText('Earlier offers (1)')).toBeVisible()
  await expect(owner.getByRole('dialog')).toHaveCount(0)
  await expect(heading(owner)).toBeFocused()
})

test('the heading takes the focus of the heart of the last favorite', async ({ shop }) => {
  const { page, calls } = await shop.signIn('Ada')
  const item = await shop.list({ title: 'Focused globe', price: 5 })
  await calls.post('/api/watchlist', { listing_id: item.id })
  await page.goto('/watchlist')
  const heart = page.getByRole('button', { name: 'Favorite Focused globe' })
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await press(heart)
  await expect(page.getByRole('heading', { name: 'Your favorites list is empty' })).toBeVisible()
  await expect(heading(page)).toBeFocused()
})

test('the focus comes back to the Pay button from a bank that was refused', async ({ shop }) => {
  const { page } = await shop.signIn('Bo')
  const item = await shop.list({ title: 'Refused bank', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await fillCard(page, '4000002500003155')
  await page.getByLabel('CVC').press('Enter')
  await press(page.getByRole('button', { name: 'Refuse', exact: true }))
  await expect(page.getByRole('alert')).toContainText('Payment failed')
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeFocused()
})
