import { expect, inAnHour, openHydrated, respondWith, test } from '../../support/fixtures/page-fixture.ts'

test('SRCH-14 a corrected search names both spellings, and keeps the typed one in heading and box', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Zephyrine lantern', price: 30 })
  await visitor.goto('/?search=zephyrnie')
  await expect(visitor.getByText('Showing results for zephyrine. No results for “zephyrnie”.')).toBeVisible()
  await expect(visitor.getByRole('heading', { name: 'Search results for zephyrnie' })).toBeVisible()
  await expect(visitor.getByText('1 item found')).toBeVisible()
  await expect(visitor.getByRole('main').getByRole('combobox', { name: 'Search listings' })).toHaveValue('zephyrnie')
  await expect(visitor.getByRole('link', { name: 'Zephyrine lantern' })).toBeVisible()
  await visitor.goto('/?search=zephyrine')
  await expect(visitor.getByText('1 item found')).toBeVisible()
  await expect(visitor.getByText(/^Showing results for/)).toHaveCount(0)
})

test('SRCH-15 SRCH-13 results are titles, then descriptions, then related items, each under its heading', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Quillon sofa', price: 300 })
  await marketplace.list({ title: 'Quillon cushion', description: 'Fits a sofa.', price: 20 })
  await marketplace.list({ title: 'Quillon couch', price: 250 })
  await visitor.goto('/?search=quillon+sofa')
  await expect(visitor.getByText('3 items found')).toBeVisible()
  const described = visitor.getByRole('region', { name: 'Mentioned in the description' })
  const related = visitor.getByRole('region', { name: 'Related items' })
  await expect(described.getByRole('link', { name: /^Quillon/ })).toHaveText(['Quillon cushion'])
  await expect(related.getByRole('link', { name: /^Quillon/ })).toHaveText(['Quillon couch'])
  await expect(visitor.getByRole('link', { name: /^Quillon/ })).toHaveText([
    'Quillon sofa',
    'Quillon cushion',
    'Quillon couch',
  ])
  await visitor.goto('/?search=quillon+sofa&sort=price-asc')
  await expect(visitor.getByRole('link', { name: /^Quillon/ })).toHaveText([
    'Quillon cushion',
    'Quillon couch',
    'Quillon sofa',
  ])
  await expect(described).toHaveCount(0)
})

test('SRCH-16 SRCH-18 the panel filters by format, free shipping and location, and shows what each value would find', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const auction = { is_auction: true, starting_bid: 10, auction_end_date: inAnHour() }
  await marketplace.list({ title: 'Sarcenet one', price: 30, shipping_cost: 0, location: 'Portland, OR' })
  await marketplace.list({ title: 'Sarcenet two', shipping_cost: 5, location: 'Portland, ME', ...auction })
  await marketplace.list({ title: 'Sarcenet three', price: 10, shipping_cost: 5, location: 'Austin' })
  const found = visitor.getByRole('link', { name: /^Sarcenet/ })
  await visitor.goto('/?search=sarcenet')
  await visitor.getByRole('button', { name: 'Filters' }).click()
  const panel = visitor.getByRole('complementary', { name: 'Filters' })
  await expect(panel.getByRole('radio', { name: 'New', exact: true })).toHaveAccessibleDescription(/^\d+ items?$/)
  await expect(panel.getByLabel('Format').getByRole('option')).toHaveText(['Any', 'Auction (1)', 'Fixed price (2)'])
  await panel.getByLabel('Format').selectOption({ label: 'Fixed price (2)' })
  await expect(found).toHaveText(['Sarcenet three', 'Sarcenet one'])
  await panel.getByRole('checkbox', { name: 'Free shipping (1)' }).click()
  await expect(found).toHaveText(['Sarcenet one'])
  await panel.getByRole('checkbox', { name: /^Free shipping/ }).click()
  await panel.getByLabel('Location').fill('austin')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(found).toHaveText(['Sarcenet three'])
  await expect(visitor).toHaveURL('/?search=sarcenet&format=fixed&location=austin')
})

test('SRCH-18 counts that are not known and filters that are not ready are left out', async ({ marketplace }) => {
  const { visitor } = marketplace
  const unknown = { category: [], condition: [{ value: 'new', count: null }], format: [], free_shipping: [] }
  await respondWith(visitor, '**/api/listings/facets*', unknown)
  await visitor.goto('/?condition=good')
  await visitor.getByRole('button', { name: 'Filters (1)' }).click()
  const panel = visitor.getByRole('complementary', { name: 'Filters' })
  await expect(panel.getByRole('radio', { name: 'New', exact: true })).toHaveAccessibleDescription('')
  await expect(panel.getByLabel('Location')).toHaveCount(0)
  await expect(panel.getByLabel('Format')).toHaveCount(0)
})

test('SRCH-19 active filters are chips that can be removed one by one or all at once', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openHydrated(visitor, '/?search=lamp&minPrice=20&maxPrice=80&condition=like-new&format=fixed')
  const chips = visitor.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
  await expect(chips).toHaveText(['Price: $20–$80', 'Condition: Like New', 'Format: Fixed price', 'Clear all'])
  await expect(visitor.getByRole('button', { name: 'Filters (3)' })).toBeVisible()
  await visitor.getByRole('button', { name: 'Remove filter: Price' }).click()
  await expect(visitor).toHaveURL('/?search=lamp&condition=like-new&format=fixed')
  await expect(visitor.getByRole('heading', { name: 'Listings', exact: true })).toBeFocused()
  await visitor.getByRole('button', { name: 'Clear all' }).click()
  await expect(visitor).toHaveURL('/?search=lamp')
  await expect(chips).toHaveCount(0)
  await expect(visitor.getByRole('button', { name: 'Filters', exact: true })).toBeVisible()
})

test('SRCH-20 a search without results names ways out below the specified sentences', async ({ marketplace }) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Bombazine cape', price: 30, condition: 'good' })
  await marketplace.list({ title: 'Bombazine hood', price: 35, condition: 'good' })
  await visitor.goto('/?search=bombazine+zzqqzz&condition=new')
  await expect(visitor.getByRole('heading', { name: 'No listings found' })).toBeVisible()
  await expect(visitor.getByRole('region', { name: 'Other ways to find something' })).toHaveCount(0)
  await visitor.goto('/?search=bombazine&condition=new')
  await expect(visitor.getByText('Try adjusting your search criteria or browse different categories.')).toBeVisible()
  const ways = visitor.getByRole('region', { name: 'Other ways to find something' })
  await expect(ways.getByText('No New items match. 2 in other conditions.')).toBeVisible()
  await expect(ways.getByRole('link', { name: /^Bombazine/ })).toHaveCount(2)
  await ways.getByRole('link', { name: '2 in other conditions.' }).click()
  await expect(visitor).toHaveURL('/?search=bombazine')
  await expect(visitor.getByText('2 items found')).toBeVisible()
  await visitor.goto('/?search=bombazine+zzqqzz')
  await expect(ways.getByText('2 results for “bombazine” without “zzqqzz”.')).toBeVisible()
})

test('SRCH-21 a category among the suggestions opens the category', async ({ marketplace }) => {
  const { visitor } = marketplace
  await respondWith(visitor, '**/api/search/suggestions*', [
    { title: 'Bikes', type: 'category', slug: 'bikes' },
    { title: 'Bike bell', type: 'listing', slug: null },
  ])
  await openHydrated(visitor, '/')
  const main = visitor.getByRole('main')
  await main.getByRole('combobox', { name: 'Search listings' }).fill('bicycle')
  const options = main.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
  await expect(options).toHaveText([/^Bikes\s*· Category$/, 'Bike bell'])
  await main.getByRole('combobox', { name: 'Search listings' }).press('ArrowDown')
  await main.getByRole('combobox', { name: 'Search listings' }).press('Enter')
  await expect(visitor).toHaveURL('/?category=bikes')
})
