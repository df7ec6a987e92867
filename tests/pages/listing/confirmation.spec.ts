import { orderSummary } from '../../support/browser/card-form.ts'
import { expect, failCalls, holdCalls, respondWith, test } from '../../support/fixtures/page-fixture.ts'

const paymentConfig = '**/api/stripe/config'

test('the confirmation shows the fee at the configured rate', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Lamp at another rate', price: 19.99, shipping_cost: 4.5 })
  await respondWith(page, paymentConfig, { publishable_key: 'pk_test_1', api_base: null, fee_basis_points: 725 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await expect(page.getByText('Marketplace Fee (7.25%)', { exact: true })).toBeVisible()
  expect(await orderSummary(page, 'Confirm Purchase')).toEqual(['$19.99', '$4.50', '$1.45', '$25.94'])
})

test('the confirmation shows the fee as soon as its rate has loaded', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Lamp at a late rate', price: 19.99 })
  const release = await holdCalls(page, paymentConfig)
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await expect(page.getByText('Marketplace Fee', { exact: true })).toBeVisible()
  expect(await orderSummary(page, 'Confirm Purchase')).toEqual(['$19.99', 'Free', '…', '…'])
  release()
  await expect(page.getByText('Marketplace Fee (5%)', { exact: true })).toBeVisible()
  expect(await orderSummary(page, 'Confirm Purchase')).toEqual(['$19.99', 'Free', '$1.00', '$20.99'])
})

test('the confirmation promises the fee for later when its rate does not load', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Lamp at no rate', price: 19.99 })
  await failCalls(page, paymentConfig, { status: 404 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await expect(page.getByText('Shown before you pay')).toHaveCount(2)
  expect(await orderSummary(page, 'Confirm Purchase')).toEqual([
    '$19.99',
    'Free',
    'Shown before you pay',
    'Shown before you pay',
  ])
})
