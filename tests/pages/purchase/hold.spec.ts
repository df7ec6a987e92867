import { boxOf } from '../../support/browser/box-of.ts'
import { holdingUntil, openPayment } from '../../support/browser/checkout.ts'
import { phone } from '../../support/fixtures/page-state.ts'
import { buyNow } from '../../support/processes/people.ts'
import { expect, inMs, test } from '../../support/fixtures/page-fixture.ts'

const toPayment = 'Continue to payment'

test('LIFE-15 Continue to payment has a line of its own below Buy Now, favorite and share on a phone', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Hal')
  const item = await marketplace.list({ title: 'Held lamp', price: 30 })
  await buyNow(calls, item.id)
  await page.setViewportSize(phone)
  await page.goto(`/listing/${item.id}`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const next = await boxOf(button(toPayment))
  const buy = await boxOf(button('Buy Now'))
  const share = await boxOf(button('Share'))
  expect((await boxOf(button('Favorite Held lamp'))).y).toBe(buy.y)
  expect(share.y).toBe(buy.y)
  expect(next.y).toBeGreaterThanOrEqual(buy.y + buy.height)
  expect([next.x, next.x + next.width]).toEqual([buy.x, share.x + share.width])
})

test('LIFE-15 Continue to payment disappears when the hold ends by the page’s clock', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Hal')
  const item = await marketplace.list({ title: 'Expired lamp', price: 30 })
  await buyNow(calls, item.id)
  await page.goto(`/listing/${item.id}`)
  await holdingUntil(page, inMs(20_000))
  await openPayment(page, toPayment)
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
  // The server still has the item on hold.
  const held = await page.request.get(`/api/listings/${item.id}`)
  expect(await held.json()).toMatchObject({ is_held_by_you: true })
  await expect(page.getByRole('button', { name: toPayment, exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
})

test('LIFE-15 Continue to payment disappears without a reload when the server releases the item', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Hal')
  const item = await marketplace.list({ title: 'Released lamp', price: 30 })
  const { payment_intent_id } = await buyNow(calls, item.id)
  await page.clock.install()
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByRole('button', { name: toPayment, exact: true })).toBeVisible()
  await calls.post('/api/payments/cancel', { payment_intent_id })
  await page.clock.fastForward(10_000)
  await expect(page.getByRole('button', { name: toPayment, exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
})
