import { expect, inAnHour, inMs, test } from '../../support/fixtures/page-fixture.ts'

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

test('MINE-03 a link to create the first listing is shown when there are none', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/my-listings')
  await expect(page.getByRole('heading', { name: 'No listings yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create Your First Listing' }).click()
  await expect(page).toHaveURL('/create-listing')
})
