import { recordIntervals } from '../../support/browser/page-clock.ts'
import { phone } from '../../support/fixtures/page-state.ts'
import { expect, inAnHour, inMs, test, withoutInitialData } from '../../support/fixtures/page-fixture.ts'

const hour = 3_600_000

test('LIST-04 LIST-06 LIST-07 an auction shows its bid, starting bid, countdown and end', async ({ marketplace }) => {
  const { visitor } = marketplace
  const end = inMs(2 * hour + 30_000)
  const item = await marketplace.list({
    title: 'Silver spoon',
    is_auction: true,
    starting_bid: 10,
    auction_end_date: end,
  })
  await (await marketplace.signIn('Bo')).calls.post('/api/bids', { listing_id: item.id, amount: 15 })
  await visitor.goto(`/listing/${item.id}`)
  const price = visitor.getByRole('region', { name: 'Price' })
  await expect(visitor.getByRole('listitem').filter({ hasText: /^\s*Auction$/ })).toBeVisible()
  await expect(price.getByText('$15.00')).toBeVisible()
  await expect(price.getByText('$10.00')).toBeVisible()
  await expect(price.getByRole('timer')).toHaveText('2h 0m')
  const words = new Date(end).toLocaleString('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  })
  await expect(price.getByText(words.replaceAll('\u202f', ' '))).toBeVisible()
})

test('LIST-08 LIST-24 the countdown updates every second, and the buyer’s controls disappear at the end', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const days = await marketplace.list({
    title: 'Long auction',
    is_auction: true,
    starting_bid: 1,
    auction_end_date: inMs(27 * hour + 30_000),
  })
  const intervals = await recordIntervals(page)
  await page.goto(`/listing/${days.id}`)
  await expect(page.getByRole('timer')).toHaveText('1d 3h')
  const item = await marketplace.list({
    title: 'Short auction',
    is_auction: true,
    starting_bid: 1,
    buy_it_now_price: 9,
    auction_end_date: inMs(20_000),
  })
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByRole('timer')).toHaveText(/^\d+s$/)
  await expect(page.getByLabel('Bid amount')).toBeVisible()
  expect(await intervals()).toContain(1_000)
  const seen = await page.getByRole('timer').textContent()
  await expect(page.getByRole('timer')).not.toHaveText(seen ?? '')
  await expect(page.getByRole('timer')).toHaveText('Auction Ended')
  await expect(page.getByLabel('Bid amount')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /Buy It Now|Favorite Short auction|Share/ })).toHaveCount(0)
  await expect(page.getByText('Bidding has ended.')).toBeVisible()
})

test('LIST-08 the countdown shows minutes and seconds under an hour', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({
    title: 'Minutes left',
    is_auction: true,
    starting_bid: 1,
    auction_end_date: inMs(5 * 60_000),
  })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('timer')).toHaveText(/^4m \d+s$/)
})

test('the countdown follows the server’s clock when the browser’s is wrong', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({
    title: 'Wrong clock',
    is_auction: true,
    starting_bid: 1,
    auction_end_date: inMs(2 * hour + 30_000),
  })
  await visitor.clock.install({ time: Date.now() + 24 * hour })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByRole('timer')).toHaveText('2h 0m')
})

test('LIST-12 LIST-13 LIST-23 an auction accepts bids, and can be bought only with a buy-it-now price', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const terms = { is_auction: true, starting_bid: 10, auction_end_date: inAnHour() }
  const plain = await marketplace.list({ title: 'Only bids', ...terms })
  await page.goto(`/listing/${plain.id}`)
  await expect(page.getByLabel('Bid amount')).toHaveAttribute('type', 'number')
  await expect(page.getByLabel('Bid amount')).toHaveAttribute('min', '10.01')
  await expect(page.getByLabel('Bid amount')).toHaveAttribute('step', '0.01')
  await expect(page.getByText('Minimum bid: $11.00')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Place Bid' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy It Now' })).toHaveCount(0)
  const instant = await marketplace.list({ title: 'Bids or not', ...terms, buy_it_now_price: 40 })
  await page.goto(`/listing/${instant.id}`)
  await expect(page.getByRole('button', { name: 'Buy It Now' })).toBeVisible()
})

test('LIST-14 LIST-16 ROLE-02 the page asks a visitor to sign in for the actions of the listing', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const auction = { is_auction: true, starting_bid: 10, auction_end_date: inAnHour() }
  for (const [item, prompt] of [
    [{ title: 'Prompt bid', ...auction }, 'Sign in to place a bid'],
    [{ title: 'Prompt both', ...auction, buy_it_now_price: 40 }, 'Sign in to place a bid or buy this item'],
    [{ title: 'Prompt buy', price: 4 }, 'Sign in to buy this item or contact the seller'],
  ] as const) {
    const listed = await marketplace.list(item)
    await visitor.goto(`/listing/${listed.id}`)
    await expect(visitor.getByText(prompt, { exact: true })).toBeVisible()
    await expect(visitor.getByRole('button', { name: /Place Bid|Buy|Make Offer/ })).toHaveCount(0)
    await visitor.getByRole('article').getByRole('link', { name: 'Sign In' }).click()
    await expect(visitor).toHaveURL('/sign-in')
  }
})

test('LIST-15 a fixed price has Buy Now, favorite and share, and Make Offer where offers are accepted', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const open = await marketplace.list({ title: 'Haggle lamp', price: 20, accept_offers: true })
  await page.goto(`/listing/${open.id}`)
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make Offer' })).toBeVisible()
  const toggle = page.getByRole('button', { name: 'Favorite Haggle lamp' })
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect
    .poll(() => page.request.get(`/api/watchlist/check/${open.id}`).then((response) => response.json()))
    .toEqual({ isWatched: true })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('alert')).toHaveText('Link copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  const firm = await marketplace.list({ title: 'Firm lamp', price: 20, accept_offers: false })
  await page.goto(`/listing/${firm.id}`)
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make Offer' })).toHaveCount(0)
})

test('on a phone, the price of an auction is in view above the bar of the highest bidder', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({
    title: 'Two film cameras, a Nikon and a Rolleiflex',
    is_auction: true,
    starting_bid: 25,
    auction_end_date: inAnHour(),
    image_urls: ['one', 'two'].map((name) => `${marketplace.url}/favicon.svg?${name}`),
  })
  await calls.post('/api/bids', { listing_id: item.id, amount: 31 })
  await page.setViewportSize(phone)
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByText("You're the highest bidder.")).toBeVisible()
  const amount = await page.getByRole('region', { name: 'Price' }).getByText('$31.00', { exact: true }).boundingBox()
  const bar = await page.locator('[data-bottom-bar]').boundingBox()
  expect((amount?.y ?? Infinity) + (amount?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
})

test('LIST-25 an auction has favorite and share for buyers who are signed in', async ({ marketplace }) => {
  const { visitor } = marketplace
  const { page } = await marketplace.signIn('Bo')
  const terms = { is_auction: true, starting_bid: 10, auction_end_date: inAnHour() }
  const item = await marketplace.list({ title: 'Liked bid', ...terms })
  await page.goto(`/listing/${item.id}`)
  const toggle = page.getByRole('button', { name: 'Favorite Liked bid' })
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('alert')).toHaveText('Link copied.')
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByText('Sign in to place a bid')).toBeVisible()
  await expect(visitor.getByRole('button', { name: /Favorite|Share/ })).toHaveCount(0)
})

test('LIST-24 a sold item is marked and has no controls', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Sold vase', price: 8 })
  await withoutInitialData(page)
  await page.route(`**/api/listings/${item.id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), is_active: false } })
  })
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByText('This item is no longer available.')).toBeVisible()
  await expect(page.getByRole('button', { name: /Buy|Offer|Favorite|Share/ })).toHaveCount(0)
})
