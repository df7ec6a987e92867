import { callsOf, expect, inAnHour, inMs, test } from '../../support/fixtures/page-fixture.ts'

const auction = { is_auction: true, starting_bid: 10 }
const leads = "You're the highest bidder."

test('STAND-01 the standing survives a reload and is the same in another browser', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Kept standing', ...auction, auction_end_date: inAnHour() })
  // This bid comes from a client that is not this page, as from another device.
  await calls.post('/api/bids', { listing_id: item.id, amount: 12 })
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByText(leads)).toBeVisible()
  await rival.calls.post('/api/bids', { listing_id: item.id, amount: 20 })
  const outbid = page.getByText("You've been outbid. The current bid is $20.00.")
  await expect(outbid).toBeVisible()
  await page.reload()
  await expect(outbid).toBeVisible()
  await rival.page.goto(`/listing/${item.id}`)
  await expect(rival.page.getByText(leads)).toBeVisible()
})

test('STAND-01 live bids cause reads at most once a second, and none for a watcher', async ({ marketplace }) => {
  const [bidder, watcher] = [await marketplace.signIn('Bo'), await marketplace.signIn('Wanda')]
  const rival = await marketplace.signIn('Ria')
  const item = await marketplace.list({ title: 'Read again', ...auction, auction_end_date: inAnHour() })
  await bidder.calls.post('/api/bids', { listing_id: item.id, amount: 11 })
  const path = `/api/auctions/${item.id}`
  const [read, watched] = [callsOf(bidder.page, path), callsOf(watcher.page, path)]
  const readsIn = (calls: typeof read) => calls.filter(({ url }) => url.pathname === path).length
  for (const { page } of [bidder, watcher]) {
    await page.goto(`/listing/${item.id}`)
    await expect(page.getByLabel('Bid amount')).toBeVisible()
  }
  await expect(bidder.page.getByText(leads)).toBeVisible()
  await expect.poll(() => readsIn(watched)).toBe(1)
  const started = Date.now()
  for (let amount = 20; amount < 40; amount++)
    await rival.calls.post('/api/bids', { listing_id: item.id, amount }).catch(() => {})
  await expect(bidder.page.getByText("You've been outbid. The current bid is $39.00.")).toBeVisible()
  const seconds = (Date.now() - started) / 1000
  expect(readsIn(read)).toBeLessThanOrEqual(3 + Math.ceil(seconds))
  await expect(watcher.page.getByRole('region', { name: 'Price' }).getByText('$39.00')).toBeVisible()
  expect(readsIn(watched)).toBe(1)
})

test('STAND-03 winner, loser, watcher, visitor and seller each read the outcome', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const [winner, loser] = [await marketplace.signIn('Bo'), await marketplace.signIn('Ria')]
  const watcher = await marketplace.signIn('Wanda')
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const list = (title: string) =>
    owner.calls.post<{ id: string }>('/api/listings', {
      title,
      ...auction,
      auction_end_date: inMs(8_000),
      category_id: category?.id,
    })
  const [sold, unsold] = [await list('Sold at its end'), await list('Unsold at its end')]
  await loser.calls.post('/api/bids', { listing_id: sold.id, amount: 38 })
  await winner.calls.post('/api/bids', { listing_id: sold.id, amount: 40 })
  for (const [page, id, text] of [
    [loser.page, sold.id, 'Bidding has ended. It sold for $40.00. Your highest bid was $38.00.'],
    [winner.page, sold.id, 'You won this auction for $40.00.'],
    [watcher.page, sold.id, 'Bidding has ended. It sold for $40.00.'],
    [marketplace.visitor, sold.id, 'Bidding has ended. It sold for $40.00.'],
    [owner.page, sold.id, /^Bidding has ended\. Sold to \S+ for \$40\.00\.$/],
    [owner.page, unsold.id, 'Bidding has ended. Your auction ended without bids.'],
  ] as const) {
    await page.goto(`/listing/${id}`)
    await expect(page.getByText(text).first()).toBeVisible({ timeout: 20_000 })
  }
})

test('LIST-26 the price of an auction is the current bid until the end, and the winning bid from then on', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const { calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Named price', ...auction, auction_end_date: inMs(20_000) })
  const price = visitor.getByRole('region', { name: 'Price' })
  await calls.post('/api/bids', { listing_id: item.id, amount: 12 })
  await visitor.goto(`/listing/${item.id}`)
  await expect(price).toContainText('Current bid$12.00')
  await expect(price).toContainText('Winning bid$12.00')
  await visitor.reload()
  await expect(price).toContainText('Winning bid$12.00')
})
