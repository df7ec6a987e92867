import type { Page } from '@playwright/test'
import { expect, test } from '../../support/fixtures/page-fixture.ts'

const sale = {
  listing_image_url: null,
  transaction_type: 'auction_win',
  sale_price: 10_000,
  transaction_fee: 500,
  seller_amount: 9_500,
  shipping_cost: 600,
  total: 10_100,
  is_disputed: false,
  other_user_name: 'Bo',
  pay_by: null,
}

async function showSale(page: Page, fields: object): Promise<void> {
  const row = { id: 'sale', listing_id: 'item', listing_title: 'Sold lamp', created_at: new Date().toISOString() }
  await page.route('**/api/transactions?*', (route) => route.fulfill({ json: [{ ...sale, ...row, ...fields }] }))
  await page.route('**/api/transactions', (route) => route.fulfill({ json: [{ ...sale, ...row, ...fields }] }))
  await page.goto('/transactions')
  await expect(page.getByRole('article').filter({ hasText: 'Sold lamp' })).toBeVisible()
}

for (const [name, fields, note] of [
  ['unpaid', { status: 'pending', refunded_amount: 0 }, "Not paid yet. You'll receive this once the buyer pays."],
  ['released', { status: 'cancelled', refunded_amount: 0 }, "This sale was canceled. You weren't paid."],
  ['refunded', { status: 'cancelled', refunded_amount: 11_100 }, "This sale was refunded. You weren't paid."],
] as const) {
  test(`PAGE-02 the seller of a sale that is ${name} sees that the amount was not received`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Olga')
    await showSale(page, { ...fields, user_role: 'seller' })
    const received = page.getByText('You Received', { exact: true }).locator('..')
    await expect(received).toContainText('$95.00')
    await expect(received).toContainText(note)
    const soft = await page.getByText('Sale Price').evaluate((label) => getComputedStyle(label).color)
    await expect(received.getByText('$95.00')).toHaveCSS('color', soft)
  })
}

test('PAGE-02 the amount of a paid sale has no note, and a buyer sees neither', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Olga')
  await showSale(page, { status: 'completed', refunded_amount: 0, user_role: 'seller' })
  await expect(page.getByText('You Received', { exact: true }).locator('..')).toHaveText('You Received$95.00')
  await page.unrouteAll()
  await showSale(page, { status: 'pending', refunded_amount: 0, user_role: 'buyer' })
  await expect(page.getByText('You Received')).toHaveCount(0)
  await expect(page.getByText('Not paid yet.')).toHaveCount(0)
})
