import { expect, inAnHour, inMs, respondWith, test } from '../../support/fixtures/page-fixture.ts'

test('MINE-01 /my-listings redirects to /sign-in when signed out', async ({ marketplace }) => {
  await marketplace.visitor.goto('/my-listings')
  await expect(marketplace.visitor).toHaveURL('/sign-in')
})

test('MINE-02 the user’s listings are counted, with badge, views and current bid', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const bidder = await marketplace.signIn('Bo')
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const list = (item: object) =>
    owner.calls.post<{ id: string }>('/api/listings', { category_id: category?.id, ...item })
  const auction = { is_auction: true, starting_bid: 5 }
  await list({ title: 'Mine at a price', price: 30 })
  const wanted = await list({ title: 'Mine with a bid', ...auction, auction_end_date: inAnHour() })
  await list({ title: 'Mine that ended', ...auction, auction_end_date: inMs(1_500) })
  await bidder.calls.post('/api/bids', { listing_id: wanted.id, amount: 7.5 })
  const counts = (name: string) => owner.page.getByRole('main').getByText(name, { exact: true }).locator('..').first()
  await expect(async () => {
    await owner.page.goto('/my-listings')
    await expect(owner.page.getByText('Inactive1')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(counts('Total')).toHaveText('Total3')
  await expect(counts('Active')).toHaveText('Active2')
  const card = (title: string) => owner.page.getByRole('article').filter({ hasText: title })
  await expect(card('Mine at a price').getByText('Active', { exact: true })).toBeVisible()
  await expect(card('Mine at a price').getByText(/\d+ views?$/)).toBeVisible()
  await expect(card('Mine with a bid').getByText('Current bid: $7.50')).toBeVisible()
  await expect(card('Mine that ended').getByText('Inactive', { exact: true })).toBeVisible()
  await expect(card('Mine that ended').getByText('Active', { exact: true })).toHaveCount(0)
  await expect(card('Mine that ended').getByText(/\d+ views?$/)).toBeVisible()
  await expect(card('Mine with a bid').getByText('Inactive', { exact: true })).toHaveCount(0)
  await expect(card('Mine at a price').getByText(/Current bid/)).toHaveCount(0)
  await expect(owner.page.getByRole('button', { name: /^Favorite/ })).toHaveCount(0)
})

test('MINE-02 the cards of a row have the same height with and without actions, and their badges say no state twice', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Olga')
  const [category] = await calls.get<{ id: number }[]>('/api/categories')
  await calls.post('/api/listings', { title: 'Mine', price: 5, category_id: category?.id })
  const [listing = {}] = await calls.get<object[]>('/api/users/me/listings?fields=card')
  const change = (title: string, change: object) => ({ ...listing, id: crypto.randomUUID(), title, ...change })
  await respondWith(page, '**/api/users/me/listings?*', [
    change('Mine on sale', {}),
    change('Mine reserved', { status: 'reserved' }),
    change('Mine sold', { status: 'sold', is_active: false }),
    change('Mine ended', { status: 'ended', is_active: false }),
  ])
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/my-listings')
    const cards = page.getByRole('article')
    await expect(cards).toHaveCount(4)
    const boxes = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON()))
    for (const row of Map.groupBy(boxes, ({ top }) => top).values()) {
      expect(row.length).toBeGreaterThan(1)
      expect(new Set(row.map(({ height }) => height)).size).toBe(1)
    }
    const sold = cards.filter({ hasText: 'Mine sold' })
    const [badge, title, state] = [
      sold.getByText('Inactive', { exact: true }),
      sold.getByRole('link'),
      sold.getByText('Sold', { exact: true }),
    ]
    const tops = [badge, title, state].map(async (part) => (await part.boundingBox())?.y ?? NaN)
    const [badgeTop = NaN, titleTop = NaN, stateTop = NaN] = await Promise.all(tops)
    expect(badgeTop).toBeLessThan(titleTop)
    expect(stateTop).toBeGreaterThan(titleTop)
  }
})

test('LIFE-14 the chosen tab is in view in a narrow window', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/my-listings?status=drafts')
  const tabs = page.getByRole('navigation', { name: 'Listings by status' })
  await expect(tabs.getByRole('link', { name: 'Drafts' })).toBeInViewport({ ratio: 0.95 })
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test('LIFE-14 the chosen tab stays in view when the screen is rotated', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.setViewportSize({ width: 700, height: 320 })
  await page.goto('/my-listings?status=drafts')
  const drafts = page.getByRole('navigation', { name: 'Listings by status' }).getByRole('link', { name: 'Drafts' })
  await expect(drafts).toBeVisible()
  await page.setViewportSize({ width: 320, height: 700 })
  await expect(drafts).toBeInViewport({ ratio: 0.95 })
})

test('LIST-26 My Listings names the bid of an ended auction', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const bidder = await marketplace.signIn('Bo')
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const item = { is_auction: true, starting_bid: 5, category_id: category?.id, auction_end_date: inMs(8_000) }
  const won = await owner.calls.post<{ id: string }>('/api/listings', { title: 'Mine that was won', ...item })
  await bidder.calls.post('/api/bids', { listing_id: won.id, amount: 7.5 })
  await expect(async () => {
    await owner.page.goto('/my-listings')
    await expect(owner.page.getByText('Winning bid: $7.50')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(owner.page.getByText(/Current bid/)).toHaveCount(0)
})

test('MINE-03 a link to create the first listing is shown when there are none', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/my-listings')
  await expect(page.getByRole('heading', { name: 'No listings yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create Your First Listing' }).click()
  await expect(page).toHaveURL('/create-listing')
})
