import { callsOf, expect, failing, holding, inAnHour, inMs, test } from '../src/shop.ts'

const auction = { is_auction: true, starting_bid: 10 }

test('BID-01 without an amount above 0 nothing is sent, and the field is named and focused', async ({ shop }) => {
  const { page } = await shop.signIn('Bo')
  const item = await shop.list({ title: 'No bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  const bids = callsOf(page, '/api/bids')
  const field = page.getByLabel('Bid amount')
  for (const typed of ['', '0', '-5', 'ten', '10.00']) {
    await field.fill(typed)
    await page.getByRole('button', { name: 'Place Bid' }).click()
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  expect(bids).toEqual([])
})

test('BID-04 after a bid, typed as people type, the listing is fetched again and the field is empty', async ({
  shop,
}) => {
  const { page } = await shop.signIn('Bo')
  const item = await shop.list({ title: 'A bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  const bids = callsOf(page, '/api/bids')
  await page.getByLabel('Bid amount').fill('$1,234.50')
  const again = page.waitForRequest(`**/api/listings/${item.id}`)
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await again
  await expect(page.getByLabel('Bid amount')).toHaveValue('')
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$1,234.50')).toBeVisible()
  await expect(page.getByText('You are the highest bidder.')).toBeVisible()
  expect(bids.map(({ body }) => body)).toEqual([{ listing_id: item.id, amount: 1234.5 }])
})

test('a second click while a bid is under way sends nothing', async ({ shop }) => {
  const { page } = await shop.signIn('Bo')
  const item = await shop.list({ title: 'One bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  const bids = callsOf(page, '/api/bids')
  const goOn = await holding(page, '**/api/bids')
  await page.getByLabel('Bid amount').fill('12')
  await page.getByRole('button', { name: 'Place Bid' }).dblclick()
  await page.getByLabel('Bid amount').press('Enter')
  goOn()
  await expect(page.getByLabel('Bid amount')).toHaveValue('')
  expect(bids).toHaveLength(1)
})

test('BID-04 BID-05 a refused bid shows the server’s sentence and keeps what was typed', async ({ shop }) => {
  const { page } = await shop.signIn('Bo')
  const item = await shop.list({ title: 'Late bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  await page.getByLabel('Bid amount').fill('12')
  await failing(page, '**/api/bids', { status: 409, error: 'Someone was faster.' })
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByRole('alert')).toHaveText('Someone was faster.')
  await expect(page.getByLabel('Bid amount')).toHaveValue('12')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

for (const failure of ['network', { status: 500 }] as const) {
  test(`BID-05 without a sentence of the server's it is Failed to place bid: ${JSON.stringify(failure)}`, async ({
    shop,
  }) => {
    const { page } = await shop.signIn('Bo')
    const item = await shop.list({ title: 'Lost bid', ...auction, auction_end_date: inAnHour() })
    await page.goto(`/listing/${item.id}`)
    await page.getByLabel('Bid amount').fill('12')
    await failing(page, '**/api/bids', failure)
    await page.getByRole('button', { name: 'Place Bid' }).click()
    await expect(page.getByRole('alert')).toHaveText('Failed to place bid')
    await expect(page.getByLabel('Bid amount')).toHaveValue('12')
  })
}

test('another’s bid shows without a reload, and who was outbid is told', async ({ shop }) => {
  const { page } = await shop.signIn('Bo')
  const rival = await shop.signIn('Ria')
  const item = await shop.list({ title: 'Live bids', ...auction, auction_end_date: inAnHour() })
  const polled = callsOf(page, `/api/listings/${item.id}`)
  await page.goto(`/listing/${item.id}`)
  await page.getByLabel('Bid amount').fill('12')
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByText('You are the highest bidder.')).toBeVisible()
  // After its own bid, and its first look after what came with the page.
  await expect.poll(() => polled.length).toBeGreaterThan(1)
  polled.length = 0
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 20 })
  await expect(page.getByRole('status').filter({ hasText: 'You have been outbid at $20.00.' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$20.00')).toBeVisible()
  await expect(page.getByLabel('Bid amount')).toHaveAttribute('min', '20.01')
  await expect(page.getByRole('region', { name: 'Latest bids' }).getByRole('listitem')).toHaveCount(2)
  // By the stream: no poll told it.
  expect(polled).toEqual([])
})

test('without the live stream the page polls', async ({ shop }) => {
  const { visitor } = shop
  const rival = await shop.signIn('Ria')
  const item = await shop.list({ title: 'Polled bids', ...auction, auction_end_date: inAnHour() })
  await failing(visitor, '**/api/auctions/*/stream', { status: 503 })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('heading', { name: 'Polled bids' })).toBeVisible()
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 21 })
  await expect(visitor.getByRole('region', { name: 'Price' }).getByText('$21.00')).toBeVisible()
})

test('an older answer that comes late never takes a newer bid back', async ({ shop }) => {
  const { visitor } = shop
  const rival = await shop.signIn('Ria')
  const item = await shop.list({ title: 'Late answers', ...auction, auction_end_date: inAnHour() })
  const old = await shop.seller.get(`/api/listings/${item.id}`)
  await visitor.goto(`/listing/${item.id}`)
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 22 })
  const price = visitor.getByRole('region', { name: 'Price' })
  await expect(price.getByText('$22.00')).toBeVisible()
  let answers = 0
  await visitor.route(`**/api/listings/${item.id}`, (route) => {
    answers++
    return route.fulfill({ json: { ...(old as object), title: 'Late answers indeed' } })
  })
  await expect(async () => {
    // The query is asked again when the window is looked at again.
    await visitor.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(visitor.getByRole('heading', { name: 'Late answers indeed' })).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(answers).toBeGreaterThan(0)
  await expect(price.getByText('$22.00')).toBeVisible()
})

test('the last minute is told when it begins', async ({ shop }) => {
  const { visitor } = shop
  const item = await shop.list({ title: 'Told minute', ...auction, auction_end_date: inMs(75_000) })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('status').filter({ hasText: '1 minute left' })).toBeAttached()
})

test('the end is told without a reload', async ({ shop }) => {
  const { visitor } = shop
  const item = await shop.list({ title: 'Told end', ...auction, auction_end_date: inMs(20_000) })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('status').filter({ hasText: 'Auction ended' })).toBeAttached()
  await expect(visitor.getByText('Bidding is closed.')).toBeVisible()
  await expect(visitor.getByText('bought with Buy It Now')).toHaveCount(0)
})

test('between the told times nothing is told: it would not be true', async ({ shop }) => {
  const { visitor } = shop
  const item = await shop.list({ title: 'Told later', ...auction, auction_end_date: inMs(9 * 60_000) })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('timer')).toHaveText(/^8m \d+s$/)
  await expect(visitor.getByRole('status').filter({ hasText: 'left' })).toHaveCount(0)
})
