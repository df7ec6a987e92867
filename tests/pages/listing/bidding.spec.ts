import { stopPolling } from '../../support/browser/page-clock.ts'
import { suspendBidder } from '../../support/fixtures/list-rows.ts'
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
  const item = await marketplace.list({ title: 'A bid', ...auction, starting_bid: 200, auction_end_date: inAnHour() })
  await stopPolling(page)
  await page.goto(`/listing/${item.id}`)
  const bids = callsOf(page, '/api/bids')
  await page.getByLabel('Bid amount').pressSequentially('$1,234.50')
  const again = page.waitForRequest(`**/api/listings/${item.id}`)
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await again
  await expect(page.getByLabel('Bid amount')).toHaveValue('')
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$1,234.50')).toBeVisible()
  await expect(page.getByText("You're the highest bidder.")).toBeVisible()
  expect(bids.map(({ body }) => body)).toEqual([{ listing_id: item.id, amount: 1234.5, confirm: false }])
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
  await page.goto(`/listing/${item.id}`)
  await page.getByLabel('Bid amount').fill('12')
  await page.getByRole('button', { name: 'Place Bid' }).click()
  await expect(page.getByText("You're the highest bidder.")).toBeVisible()
  // The listing's reads get no response from now on, so the update can only come through the stream.
  await page.route(`**/api/listings/${item.id}`, () => {})
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 20 })
  await expect(
    page.getByRole('status').filter({ hasText: "You've been outbid. The current bid is $20.00." }),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$20.00')).toBeVisible()
  await expect(page.getByLabel('Bid amount')).toHaveAttribute('min', '20.01')
  await expect(page.getByRole('region', { name: 'Bid history' }).getByRole('listitem')).toHaveCount(2)
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
  await expect(visitor.getByText('Bidding has ended.')).toBeVisible()
  await expect(visitor.getByText('bought with Buy It Now')).toHaveCount(0)
})

test('nothing is announced between the announcement times', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Told later', ...auction, auction_end_date: inMs(9 * 60_000) })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('timer')).toHaveText(/^8m \d+s$/)
  await expect(visitor.getByRole('status').filter({ hasText: 'left' })).toHaveCount(0)
})

test('a typed amount shows what the bidder would pay', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const shipped = { ...auction, shipping_cost: 4.5, auction_end_date: inAnHour() }
  const item = await marketplace.list({ title: 'Totaled bid', ...shipped })
  const free = await marketplace.list({ title: 'Totaled free bid', ...auction, auction_end_date: inAnHour() })
  await page.goto(`/listing/${item.id}`)
  const total = page.getByText('If you win')
  await expect(page.getByLabel('Bid amount')).toBeVisible()
  await expect(total).toHaveCount(0)
  await page.getByLabel('Bid amount').fill('12')
  await expect(total).toHaveText("If you win at $12.00, you'll pay $17.10, including $4.50 shipping and a $0.60 fee.")
  await page.getByLabel('Bid amount').fill('1')
  await expect(total).toHaveCount(0)
  await page.goto(`/listing/${free.id}`)
  await page.getByLabel('Bid amount').fill('12')
  await expect(total).toHaveText("If you win at $12.00, you'll pay $12.60, including a $0.60 fee.")
})

const rejections = [
  {
    code: 'not_chargeable',
    startingBid: 10,
    dollars: '9999999.99',
    error: "That's more than a card can be charged. The highest possible bid is $952,380.94.",
  },
  {
    code: 'exposure_limit',
    startingBid: 5_900,
    dollars: '6000',
    error: 'Until your first purchase, your bids and unpaid wins can total up to $5,000.00.',
  },
  {
    code: 'bidding_suspended',
    startingBid: 10,
    dollars: '12',
    error: "You can't bid until 12:00 UTC on December 3, 2199, because you didn't pay for 3 wins within 90 days.",
  },
]

for (const { code, startingBid, dollars, error } of rejections) {
  test(`BID-05 a bid rejected with ${code} shows the server’s error and keeps the input`, async ({ marketplace }) => {
    const { page, id } = await marketplace.signIn('Bo')
    const terms = { ...auction, starting_bid: startingBid, auction_end_date: inAnHour() }
    const item = await marketplace.list({ title: `Bid ${code}`, ...terms })
    if (code === 'bidding_suspended') await suspendBidder(id, '2199-12-03T12:00:00.000Z')
    await page.goto(`/listing/${item.id}`)
    await page.getByLabel('Bid amount').fill(dollars)
    const response = page.waitForResponse('**/api/bids')
    await page.getByRole('button', { name: 'Place Bid' }).click()
    expect(await (await response).json()).toMatchObject({ code, error })
    await expect(page.getByRole('alert')).toHaveText(error)
    await expect(page.getByLabel('Bid amount')).toHaveValue(dollars)
  })
}

test('the seller reads that a winning bid cannot be charged by card', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const bidder = await marketplace.signIn('Bo')
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const list = (starting_bid: number) =>
    owner.calls.post<{ id: string }>('/api/listings', {
      title: `Sold for ${starting_bid}`,
      is_auction: true,
      starting_bid,
      auction_end_date: inMs(6_000),
      category_id: category?.id,
    })
  const [penny, dollar] = [await list(0.01), await list(1)]
  await bidder.calls.post('/api/bids', { listing_id: penny.id, amount: 0.02 })
  await bidder.calls.post('/api/bids', { listing_id: dollar.id, amount: 1.02 })
  await owner.page.goto(`/listing/${penny.id}`)
  await expect(owner.page.getByText("The winning bid of $0.02 can't be charged by card.")).toBeVisible()
  await owner.page.goto(`/listing/${dollar.id}`)
  await expect(owner.page.getByText('Bidding has ended.')).toBeVisible()
  await expect(owner.page.getByText("can't be charged")).toHaveCount(0)
  await bidder.page.goto(`/listing/${penny.id}`)
  await expect(bidder.page.getByText('Bidding has ended.')).toBeVisible()
  await expect(bidder.page.getByText("can't be charged")).toHaveCount(0)
})

test('a bid causes no request for the history, which opens whole on demand', async ({ marketplace }) => {
  const { visitor } = marketplace
  const rivals = [await marketplace.signIn('Ria'), await marketplace.signIn('Ron')]
  const item = await marketplace.list({ title: 'Long history', ...auction, auction_end_date: inAnHour() })
  const bid = (at: number) => rivals[at % 2]?.calls.post('/api/bids', { listing_id: item.id, amount: 10 + at })
  for (let at = 1; at <= 53; at++) await bid(at)
  await visitor.goto(`/listing/${item.id}`)
  const latest = visitor.getByRole('region', { name: 'Bid history' })
  await expect(latest.getByRole('listitem')).toHaveCount(5)
  await expect(latest).toContainText('$63.00')
  const requests = callsOf(visitor, `/api/auctions/${item.id}/bids`)
  for (let at = 54; at <= 56; at++) await bid(at)
  await expect(latest.getByRole('listitem').first()).toContainText('$66.00')
  await expect(latest.getByRole('listitem')).toHaveCount(5)
  expect(requests).toEqual([])

  await latest.getByRole('button', { name: 'Show all 56 bids' }).click()
  const history = visitor.getByRole('dialog', { name: 'All bids' })
  await expect(history.getByRole('listitem')).toHaveCount(50)
  await history.getByRole('listitem').last().scrollIntoViewIfNeeded()
  await expect(history.getByRole('listitem')).toHaveCount(56)
  await expect(history.getByRole('listitem').last()).toContainText('$11.00')
})
