import type { Page } from '@playwright/test'
import { stopPolling } from '../../support/browser/page-clock.ts'
import { expect, failCalls, holdCalls, inAnHour, inMs, test } from '../../support/fixtures/page-fixture.ts'
import { payByCard, type Intent } from '../../support/processes/people.ts'

const auction = { is_auction: true, starting_bid: 10 }

/** Expects the server's error in place of the form, with the focus on the heading, and dismisses it. */
async function expectRefusal(page: Page): Promise<void> {
  const alert = page.getByRole('alert')
  await expect(alert).toHaveText('This auction has ended.')
  await expect(page.getByText('Bidding has ended.')).toBeVisible()
  await expect(page.getByLabel('Bid amount')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(alert).toHaveCount(0)
}

test('BID-05 a bid that is in flight when the page’s countdown ends shows the server’s error', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Bid in flight', ...auction, auction_end_date: inMs(15_000) })
  const release = await holdCalls(page, '**/api/bids')
  await page.goto(`/listing/${item.id}`)
  await page.getByLabel('Bid amount').fill('12')
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByText('Placing your bid of $12.00…')).toBeVisible()
  await expect(page.getByText('Bidding has ended.')).toBeVisible()
  await expect(page.getByLabel('Bid amount')).toHaveCount(0)
  // The page's countdown may end a moment before the auction.
  const isActive = async () =>
    (await marketplace.seller.get<{ is_active: boolean }>(`/api/listings/${item.id}`)).is_active
  await expect.poll(isActive).toBe(false)
  release()
  await expectRefusal(page)
})

test('BID-05 a bid on an auction that was bought meanwhile shows the server’s error', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const terms = { ...auction, buy_it_now_price: 100, auction_end_date: inAnHour() }
  const item = await marketplace.list({ title: 'Bought before the bid', ...terms })
  // Without the live stream and polls, the page reads the end of the auction only after its bid.
  await failCalls(page, '**/api/auctions/*/stream', { status: 503 })
  await stopPolling(page)
  await page.goto(`/listing/${item.id}`)
  await page.getByLabel('Bid amount').fill('12')
  const intent = await rival.calls.post<Intent>(`/api/auctions/${item.id}/buy-now`, {})
  await payByCard(rival.calls, intent)
  await rival.calls.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expectRefusal(page)
})
