import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { fillCard } from '../../support/browser/card-form.ts'
import { consoleErrorsOf, expect, failCalls, inMs, test } from '../../support/fixtures/page-fixture.ts'
import { buyNow, payByCard } from '../../support/processes/people.ts'

async function buy(buyer: MarketplaceClient, id: string): Promise<void> {
  const intent = await buyNow(buyer, id)
  await payByCard(buyer, intent)
  await buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
}

test('TXN-01 TXN-03 TXN-05 TXN-06 buyer and seller see the sale, each with their own amounts', async ({
  marketplace,
}) => {
  const [owner, buyer] = [await marketplace.signIn('Olga'), await marketplace.signIn('Bo')]
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const item = await owner.calls.post<{ id: string }>('/api/listings', {
    title: 'Traded lamp',
    price: 19.99,
    shipping_cost: 4.5,
    category_id: category?.id,
    image_urls: [`${marketplace.url}/favicon.svg`],
  })
  await buy(buyer.calls, item.id)
  const today = new Date().toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
  for (const [person, role, counterpart, other] of [
    [buyer, 'Buyer', 'Seller', owner],
    [owner, 'Seller', 'Buyer', buyer],
  ] as const) {
    const { page } = person
    await page.goto('/transactions')
    const row = page.getByRole('article').filter({ hasText: 'Traded lamp' })
    await expect(row.locator('img')).toHaveAttribute('src', /favicon\.svg$/)
    await expect(row.getByRole('heading', { name: 'Traded lamp' })).toBeVisible()
    await expect(row.getByRole('listitem')).toHaveText([role, 'Buy Now', today])
    await expect(row.getByText('Completed')).toBeVisible()
    await expect(row.locator('svg.tabler-icon-circle-check')).toBeVisible()
    await expect(row).toContainText('Sale Price$19.99')
    await expect(row).toContainText('Marketplace Fee$1.00')
    await expect(row).toContainText(`${counterpart}${other.name}`)
    await expect(row.getByText('You Received')).toHaveCount(role === 'Seller' ? 1 : 0)
    if (role === 'Seller') await expect(row).toContainText('You Received$18.99')
    await expect(row).toContainText(role === 'Seller' ? 'Shipping$4.50Total$23.49' : 'Shipping$4.50Total$25.49')
  }
})

test('TXN-03 a cancelled sale is labeled as such, and an unknown status as pending', async ({ marketplace }) => {
  const [owner, buyer] = [await marketplace.signIn('Olga'), await marketplace.signIn('Bo')]
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const item = await owner.calls.post<{ id: string }>('/api/listings', {
    title: 'Odd lamp',
    price: 5,
    category_id: category?.id,
  })
  await buy(buyer.calls, item.id)
  await buyer.page.route('**/api/transactions', async (route) => {
    const response = await route.fetch()
    const [row] = await response.json()
    const rows = ['cancelled', 'in review'].map((status, index) => ({ ...row, id: `${index}`, status }))
    await route.fulfill({ response, json: rows })
  })
  await buyer.page.goto('/transactions')
  const rows = buyer.page.getByRole('article').filter({ hasText: 'Odd lamp' })
  await expect(rows.nth(0).getByText('Cancelled')).toBeVisible()
  await expect(rows.nth(0).locator('svg.tabler-icon-circle-x')).toBeVisible()
  await expect(rows.nth(1).getByText('Pending')).toBeVisible()
  await expect(rows.nth(1).locator('svg.tabler-icon-clock')).toBeVisible()
})

test('TXN-02 a message is shown when there are no transactions or they fail to load', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/transactions')
  await expect(page.getByRole('heading', { name: 'No transactions yet' })).toBeVisible()
  const lines = consoleErrorsOf(page)
  await failCalls(page, '**/api/transactions', { status: 400 })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No transactions yet' })).toBeVisible()
  expect(lines.some((line) => line.startsWith('Failed to load transactions:'))).toBe(true)
})

test('TXN-03 a won auction is pending, shows its deadline and is paid under Transactions', async ({ marketplace }) => {
  const buyer = await marketplace.signIn('Bo')
  const item = await marketplace.list({
    title: 'Won watch',
    is_auction: true,
    starting_bid: 10,
    auction_end_date: inMs(10_000),
  })
  await buyer.calls.post('/api/bids', { listing_id: item.id, amount: 20 })
  const { page } = buyer
  await page.goto('/transactions')
  const row = page.getByRole('article').filter({ hasText: 'Won watch' })
  await expect(row.getByText('Auction Won')).toBeVisible({ timeout: 40_000 })
  await expect(row.getByText('Pending')).toBeVisible()
  await expect(row.getByText(/Pay by/)).toBeVisible()
  await row.getByRole('button', { name: 'Pay now' }).click()
  await fillCard(page)
  await page.getByRole('button', { name: 'Pay $21.00' }).click()
  await expect(page.getByRole('alert')).toHaveText('Payment successful! Your purchase is complete.')
  await expect(row.getByText('Completed')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Pay now' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('TXN-07 a refund, its delay and a dispute are shown to both sides, each with their own words', async ({
  marketplace,
}) => {
  const [owner, buyer] = [await marketplace.signIn('Olga'), await marketplace.signIn('Bo')]
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const item = await owner.calls.post<{ id: string }>('/api/listings', {
    title: 'Returned lamp',
    price: 19.99,
    category_id: category?.id,
  })
  await buy(buyer.calls, item.id)
  for (const [{ page }, review] of [
    [buyer, 'Your bank is reviewing this payment'],
    [owner, "The buyer's bank is reviewing this payment"],
  ] as const) {
    let moneyBack = {}
    await page.route('**/api/transactions', async (route) => {
      const response = await route.fetch()
      const sales: object[] = await response.json()
      await route.fulfill({ response, json: sales.map((sale) => ({ ...sale, ...moneyBack })) })
    })
    await page.goto('/transactions')
    const row = page.getByRole('article').filter({ hasText: 'Returned lamp' })
    await expect(row.getByText('Completed')).toBeVisible()
    await expect(row).not.toContainText('Refund')
    await expect(row).not.toContainText('reviewing')
    moneyBack = { refunded_amount: 2549, is_disputed: true }
    await expect(row).toContainText('Refund: $25.49')
    await expect(row).toContainText(review)
    await expect(row).not.toContainText('longer than usual')
    moneyBack = { refunded_amount: 2549, is_refund_delayed: true }
    await page.reload()
    await expect(row).toContainText("The refund is taking longer than usual. We're looking into it.")
  }
})
