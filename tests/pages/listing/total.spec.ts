import { expect, failCalls, inAnHour, respondWith, test } from '../../support/fixtures/page-fixture.ts'

const paymentConfig = '**/api/stripe/config'

test('PAGE-01 a listing shows the total with shipping and fee below its price', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Totaled sofa', price: 340, shipping_cost: 60 })
  await visitor.goto(`/listing/${item.id}`)
  const price = visitor.getByRole('region', { name: 'Price' })
  await expect(price).toContainText('Total $417.00, including $60.00 shipping and $17.00 Marketplace Fee (5%)')
  const free = await marketplace.list({ title: 'Totaled stool', price: 19.99, shipping_cost: 0 })
  await respondWith(visitor, paymentConfig, { publishable_key: 'pk_test_1', api_base: null, fee_basis_points: 725 })
  await visitor.goto(`/listing/${free.id}`)
  await expect(price).toContainText('Total $21.44, including $1.45 Marketplace Fee (7.25%)')
})

test('PAGE-01 an auction shows the total of its Buy It Now price only', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const auction = { is_auction: true, starting_bid: 5, shipping_cost: 10, auction_end_date: inAnHour() }
  const item = await marketplace.list({ title: 'Totaled clock', buy_it_now_price: 100, ...auction })
  await page.goto(`/listing/${item.id}`)
  const total = page.getByText('Total $115.00, including $10.00 shipping and $5.00 Marketplace Fee (5%)')
  await expect(total).toBeVisible()
  await expect(page.getByRole('region', { name: 'Price' }).getByText(/^Total \$/)).toHaveCount(0)
})

test('PAGE-01 a listing shows no total when the fee does not load', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Totaled desk', price: 340 })
  await failCalls(visitor, paymentConfig, { status: 404 })
  const failed = visitor.waitForResponse(paymentConfig)
  await visitor.goto(`/listing/${item.id}`)
  await failed
  await expect(visitor.getByRole('region', { name: 'Price' })).toContainText('$340.00')
  await expect(visitor.getByText(/^Total \$/)).toHaveCount(0)
})
