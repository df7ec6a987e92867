import { stopPolling } from '../../support/browser/page-clock.ts'
import { callsOf, expect, failCalls, holdCalls, inAnHour, inMs, test } from '../../support/fixtures/page-fixture.ts'

const auction = { is_auction: true, starting_bid: 10 }

test('BID-01 an amount of 0 or less is not sent, and the field is marked and focused', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'No bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  const bids = callsOf(page, '/api/bids')
  const field = page.getByLabel('Bid amount')
  for (const typed of ['', '0', '-5', 'ten', '10.00']) {
    await field.fill('')
    await field.pressSequentially(typed)
    await page.getByRole('button', { name: 'Place Bid' }).click()
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  expect(bids).toEqual([])
})

test('BID-04 the listing is fetched again and the field is empty after a bid', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'A bid', ...auction, auction_end_date: inAnHour() })
  await stopPolling(page)
  await page.goto(`/listing/${item.id}`)
  const bids = callsOf(page, '/api/bids')
  await page.getByLabel('Bid amount').pressSequentially('$1,234.50')
  const again = page.waitForRequest(`**/api/listings/${item.id}`)
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await again
  await expect(page.getByLabel('Bid amount')).toHaveValue('')
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$1,234.50')).toBeVisible()
  await expect(page.getByText('You are the highest bidder.')).toBeVisible()
  expect(bids.map(({ body }) => body)).toEqual([{ listing_id: item.id, amount: 1234.5 }])
})

test('a second click while a bid is pending sends nothing', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'One bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  const bids = callsOf(page, '/api/bids')
  const release = await holdCalls(page, '**/api/bids')
  await page.getByLabel('Bid amount').fill('12')
  await page.getByRole('button', { name: 'Place Bid' }).dblclick()
  await page.getByLabel('Bid amount').press('Enter')
  release()
  await expect(page.getByLabel('Bid amount')).toHaveValue('')
  expect(bids).toHaveLength(1)
})

test('BID-04 BID-05 a rejected bid shows the server’s error and keeps the input', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Late bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  await page.getByLabel('Bid amount').fill('12')
  await failCalls(page, '**/api/bids', { status: 409, error: 'Someone was faster.' })
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByRole('alert')).toHaveText('Someone was faster.')
  await expect(page.getByLabel('Bid amount')).toHaveValue('12')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

for (const failure of ['network', { status: 500 }] as const) {
  test(`BID-05 the error is Failed to place bid when the server sends none: ${JSON.stringify(failure)}`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Bo')
    const item = await marketplace.list({ title: 'Lost bid', ...auction, auction_end_date: inAnHour() })
    await page.goto(`/listing/${item.id}`)
    await page.getByLabel('Bid amount').fill('12')
    await failCalls(page, '**/api/bids', failure)
    await page.getByRole('button', { name: 'Place Bid' }).click()
    await expect(page.getByRole('alert')).toHaveText('Failed to place bid')
    await expect(page.getByLabel('Bid amount')).toHaveValue('12')
  })
}

test('another user’s bid is shown without a reload, with a notice to the outbid user', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Live bids', ...auction, auction_end_date: inAnHour() })
  const polled = callsOf(page, `/api/listings/${item.id}`)
  await page.goto(`/listing/${item.id}`)
  await page.getByLabel('Bid amount').fill('12')
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByText('You are the highest bidder.')).toBeVisible()
  // Refetched after the page's own bid, and once deferred after hydration.
  await expect.poll(() => polled.length).toBeGreaterThan(1)
  polled.length = 0
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 20 })
  await expect(page.getByRole('status').filter({ hasText: 'You have been outbid at $20.00.' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$20.00')).toBeVisible()
  await expect(page.getByLabel('Bid amount')).toHaveAttribute('min', '20.01')
  await expect(page.getByRole('region', { name: 'Latest bids' }).getByRole('listitem')).toHaveCount(2)
  // The update came through the stream, not from polling.
  expect(polled).toEqual([])
})

test('the page polls when the live stream fails', async ({ marketplace }) => {
  const { visitor } = marketplace
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Polled bids', ...auction, auction_end_date: inAnHour() })
  await failCalls(visitor, '**/api/auctions/*/stream', { status: 503 })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('heading', { name: 'Polled bids' })).toBeVisible()
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 21 })
  await expect(visitor.getByRole('region', { name: 'Price' }).getByText('$21.00')).toBeVisible()
})

test('an older response that arrives late does not replace a newer bid', async ({ marketplace }) => {
  const { visitor } = marketplace
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Late answers', ...auction, auction_end_date: inAnHour() })
  const old = await marketplace.seller.get(`/api/listings/${item.id}`)
  await visitor.goto(`/listing/${item.id}`)
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 22 })
  const price = visitor.getByRole('region', { name: 'Price' })
  await expect(price.getByText('$22.00')).toBeVisible()
  let responses = 0
  await visitor.route(`**/api/listings/${item.id}`, (route) => {
    responses++
    return route.fulfill({ json: { ...(old as object), title: 'Late answers indeed' } })
  })
  await expect(async () => {
    // The query is refetched when the window becomes visible.
    await visitor.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(visitor.getByRole('heading', { name: 'Late answers indeed' })).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(responses).toBeGreaterThan(0)
  await expect(price.getByText('$22.00')).toBeVisible()
})

test('the last minute is announced when it begins', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Told minute', ...auction, auction_end_date: inMs(75_000) })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('status').filter({ hasText: '1 minute left' })).toBeAttached()
})

test('the end is announced without a reload', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Told end', ...auction, auction_end_date: inMs(20_000) })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('status').filter({ hasText: 'Auction ended' })).toBeAttached()
  await expect(visitor.getByText('Bidding is closed.')).toBeVisible()
  await expect(visitor.getByText('bought with Buy It Now')).toHaveCount(0)
})

test('nothing is announced between the announcement times', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Told later', ...auction, auction_end_date: inMs(9 * 60_000) })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('timer')).toHaveText(/^8m \d+s$/)
  await expect(visitor.getByRole('status').filter({ hasText: 'left' })).toHaveCount(0)
})
