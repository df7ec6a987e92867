import { expect, inAnHour, inMs, test } from '../src/shop.ts'

test('MINE-01 signed out, /my-listings leads to /sign-in', async ({ shop }) => {
  await shop.visitor.goto('/my-listings')
  await expect(shop.visitor).toHaveURL('/sign-in')
})

test('MINE-02 one’s listings are counted, with badge, views and the current bid', async ({ shop }) => {
  const owner = await shop.signIn('Olga')
  const bidder = await shop.signIn('Bo')
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
  const card = (title: string) => owner.page.getByRole('article').filter({ hasText: title })
  await expect(card('Mine at a price').getByText('Active', { exact: true })).toBeVisible()
  await expect(card('Mine at a price').getByText(/\d+ views?$/)).toBeVisible()
  await expect(card('Mine with a bid').getByText('Current bid: $7.50')).toBeVisible()
  await expect(card('Mine that ended').getByText('Inactive', { exact: true })).toBeVisible()
  await expect(card('Mine at a price').getByText(/Current bid/)).toHaveCount(0)
  await expect(owner.page.getByRole('button', { name: /^Favorite/ })).toHaveCount(0)
})

test('MINE-03 without listings there is a way to the first', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  await page.goto('/my-listings')
  await expect(page.getByRole('heading', { name: 'No listings yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create Your First Listing' }).click()
  await expect(page).toHaveURL('/create-listing')
})
