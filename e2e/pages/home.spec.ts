import type { Page } from '@playwright/test'
import { answering, callsOf, consoleOf, expect, failing, holding, inMs, test } from '../src/shop.ts'

const listings = '**/api/listings?*'

function results(page: Page) {
  return page.getByRole('region', { name: /^(All listings|Listings)$/ })
}

test('HOME-01 HOME-03 filters of the address are asked of the server; heading and count say what was found', async ({
  shop,
}) => {
  const { visitor } = shop
  await shop.list({ title: 'Zinc kettle one', price: 20, condition: 'new' })
  const asked = callsOf(visitor, '/api/listings')
  await visitor.goto('/?search=zinc kettle&category=art&condition=new&minPrice=10&maxPrice=30')
  await expect(visitor.getByRole('heading', { name: 'Search results for zinc kettle' })).toBeVisible()
  await expect(visitor.getByText('1 item found')).toBeVisible()
  expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toMatchObject({
    search: 'zinc kettle',
    category: 'art',
    condition: 'new',
    minPrice: '10',
    maxPrice: '30',
  })
  await shop.list({ title: 'Zinc kettle two', price: 20, condition: 'new' })
  await visitor.goto('/?search=zinc kettle')
  await expect(visitor.getByText('2 items found')).toBeVisible()
  await visitor.goto('/?condition=new')
  await expect(visitor.getByRole('heading', { name: 'Browse listings' })).toBeVisible()
  await expect(visitor.getByRole('main').getByRole('combobox', { name: 'Search listings' })).toBeVisible()
})

test('HOME-02 HOME-21 without filters there is a hero with a search box, six trending terms and three blurbs', async ({
  shop,
}) => {
  const { visitor } = shop
  const terms = ['lamp', 'desk', 'sofa', 'bike', 'coat', 'ring', 'vase'].map((search_term) => ({ search_term }))
  await answering(visitor, '**/api/search/trending', terms)
  await visitor.goto('/')
  const hero = visitor.getByRole('region', { name: 'Welcome' })
  await expect(hero.getByRole('combobox', { name: 'Search listings' })).toBeVisible()
  const trending = hero.getByRole('navigation', { name: 'Trending searches' })
  await expect(trending.getByRole('link')).toHaveText(['lamp', 'desk', 'sofa', 'bike', 'coat', 'ring'])
  for (const blurb of ['Fast Search', 'Secure & Safe', 'Community']) {
    await expect(visitor.getByRole('heading', { name: blurb })).toBeVisible()
  }
  await trending.getByRole('link', { name: 'desk' }).click()
  await expect(visitor.getByRole('heading', { name: 'Search results for desk' })).toBeVisible()
})

test('HOME-21 a trending failure is logged only and shows none', async ({ shop }) => {
  const { visitor } = shop
  const lines = consoleOf(visitor)
  await failing(visitor, '**/api/search/trending', { status: 400 })
  await visitor.goto('/')
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to load trending searches:'))).toBe(true)
  await expect(visitor.getByRole('navigation', { name: 'Trending searches' }).getByRole('link')).toHaveCount(0)
  await expect(visitor.getByRole('alert')).toHaveCount(0)
})

test('HOME-04 chips lead to all categories and to each by its slug', async ({ shop }) => {
  const { visitor } = shop
  const categories = await shop.seller.get<{ name: string; slug: string }[]>('/api/categories')
  await visitor.goto('/?search=lamp')
  const chips = visitor.getByRole('navigation', { name: 'Categories' })
  await expect(chips.getByRole('link')).toHaveText(['All Categories', ...categories.map(({ name }) => name)])
  const [first] = categories
  await chips.getByRole('link', { name: first?.name ?? '', exact: true }).click()
  await expect(visitor).toHaveURL(`/?search=lamp&category=${first?.slug}`)
  await chips.getByRole('link', { name: 'All Categories' }).click()
  await expect(visitor).toHaveURL('/?search=lamp')
})

test('HOME-05 the filter panel opens and closes, and has a price range and the conditions', async ({ shop }) => {
  const { visitor } = shop
  await visitor.goto('/')
  const toggle = visitor.getByRole('button', { name: 'Filters' })
  const panel = visitor.getByRole('complementary', { name: 'Filters' })
  await expect(panel).toBeHidden()
  await toggle.click()
  await expect(panel.getByLabel('Min price')).toHaveAttribute('min', '0')
  await expect(panel.getByLabel('Max price')).toHaveAttribute('min', '0')
  const conditions = ['Any', 'New', 'Like New', 'Good', 'Fair', 'Poor']
  expect(
    await panel.getByRole('radio').evaluateAll((all) => all.map((one) => one.closest('label')?.textContent)),
  ).toEqual(conditions)
  await panel.getByLabel('Min price').fill('1,000')
  await panel.getByLabel('Max price').fill('$2,000.50')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(visitor).toHaveURL('/?minPrice=1000&maxPrice=2000.5')
  await expect(panel.getByLabel('Max price')).toHaveValue('2000.5')
  await panel.getByLabel('Max price').fill('many')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(panel.getByLabel('Max price')).toBeFocused()
  await expect(panel.getByText('Prices are amounts of 0 or more')).toBeVisible()
  await panel.getByRole('radio', { name: 'Like New' }).click()
  await expect(visitor).toHaveURL(/condition=like-new/)
  await toggle.click()
  await expect(panel).toBeHidden()
})

test('HOME-05 a price above what anything can cost is refused in the panel and ignored in the address', async ({
  shop,
}) => {
  const { visitor } = shop
  await visitor.goto('/?minPrice=5')
  await visitor.getByRole('button', { name: 'Filters' }).click()
  const panel = visitor.getByRole('complementary', { name: 'Filters' })
  for (const label of ['Min price', 'Max price']) {
    await panel.getByLabel(label).fill('10,000,000')
    await panel.getByRole('button', { name: 'Apply' }).click()
    await expect(panel.getByLabel(label)).toBeFocused()
    await expect(panel.getByText('Prices are amounts of 0 or more, up to 9,999,999.99')).toBeVisible()
    await expect(visitor).toHaveURL('/?minPrice=5')
    await panel.getByLabel(label).fill('9,999,999.99')
  }
  await panel.getByLabel('Min price').fill('5')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(visitor).toHaveURL('/?minPrice=5&maxPrice=9999999.99')
  for (const unusable of ['10000000', '-5', 'many']) {
    const asked = visitor.waitForRequest(listings)
    await visitor.goto(`/?condition=good&maxPrice=${unusable}`)
    expect(new URL((await asked).url()).searchParams.has('maxPrice')).toBe(false)
    await expect(visitor.getByText(/^[1-9][\d,+]* items? found$/)).toBeVisible()
    await visitor.getByRole('button', { name: 'Filters' }).click()
    await expect(panel.getByLabel('Max price')).toHaveValue('')
  }
})

test('HOME-06 HOME-09 HOME-12 cards are a grid until one asks for a list; each leads to its listing', async ({
  shop,
}) => {
  const { visitor } = shop
  const item = await shop.list({ title: 'Umber bowl', price: 9, shipping_cost: 4.5, description: 'Thrown by hand' })
  await visitor.goto('/?search=umber bowl')
  await expect(visitor.getByRole('button', { name: 'Grid view' })).toHaveAttribute('aria-pressed', 'true')
  await expect(results(visitor).getByText('Thrown by hand')).toBeHidden()
  await visitor.getByRole('button', { name: 'List view' }).click()
  await expect(visitor.getByRole('button', { name: 'List view' })).toHaveAttribute('aria-pressed', 'true')
  await expect(results(visitor).getByText('Thrown by hand')).toBeVisible()
  await expect(results(visitor).getByText('+$4.50 shipping')).toBeVisible()
  await results(visitor).getByRole('link', { name: 'Umber bowl' }).click()
  await expect(visitor).toHaveURL(`/listing/${item.id}`)
})

test('HOME-07 8 skeleton cards stand there while listings load', async ({ shop }) => {
  const { visitor } = shop
  const goOn = await holding(visitor, listings)
  await visitor.goto('/?search=lamp')
  await expect(visitor.getByTestId('skeleton-card')).toHaveCount(8)
  goOn()
  await expect(visitor.getByTestId('skeleton-card')).toHaveCount(0)
})

test('HOME-08 HOME-03 nothing found says so', async ({ shop }) => {
  const { visitor } = shop
  await visitor.goto('/?search=qqqqzzzz')
  await expect(visitor.getByRole('heading', { name: 'No listings found' })).toBeVisible()
  await expect(visitor.getByText('Try adjusting your search criteria or browse different categories.')).toBeVisible()
  await expect(visitor.getByText('0 items found')).toBeVisible()
})

test('HOME-20 a failing list is logged only, and stays empty', async ({ shop }) => {
  const { visitor } = shop
  const lines = consoleOf(visitor)
  await failing(visitor, listings, { status: 400, error: 'No.' })
  await visitor.goto('/?search=lamp')
  await expect(visitor.getByRole('heading', { name: 'No listings found' })).toBeVisible()
  expect(lines.some((line) => line.startsWith('Failed to load listings:'))).toBe(true)
  await expect(visitor.getByRole('alert')).toHaveCount(0)
})

test('HOME-10 HOME-11 HOME-12 a card shows the bid, else the starting bid, else the price, and the discount', async ({
  shop,
}) => {
  const { visitor } = shop
  const auction = { is_auction: true, starting_bid: 10, auction_end_date: inMs(7_200_000) }
  await shop.list({ title: 'Cobalt jar untouched', ...auction })
  const wanted = await shop.list({ title: 'Cobalt jar wanted', ...auction })
  await shop.list({ title: 'Cobalt jar reduced', price: 67, is_on_sale: true, original_price: 100 })
  await (await shop.signIn('Bob')).calls.post('/api/bids', { listing_id: wanted.id, amount: 12.5 })
  await expect(async () => {
    await visitor.goto('/?search=cobalt jar')
    const card = (title: string) => results(visitor).getByRole('article').filter({ hasText: title })
    await expect(card('untouched')).toContainText('$10.00', { timeout: 1_000 })
    await expect(card('wanted')).toContainText('$12.50', { timeout: 1_000 })
    await expect(card('reduced')).toContainText('$67.00', { timeout: 1_000 })
    await expect(card('reduced')).toContainText('-33%')
    await expect(card('reduced')).toContainText('Free shipping')
  }).toPass()
})

test('HOME-13 the countdown of a card goes on each minute, to the end', async ({ shop }) => {
  const { visitor } = shop
  const starting = { is_auction: true, starting_bid: 10 }
  await shop.list({ title: 'Teal clock days', ...starting, auction_end_date: inMs((2 * 24 + 3) * 3_600_000 + 30_000) })
  await shop.list({ title: 'Teal clock hours', ...starting, auction_end_date: inMs(3 * 3_600_000 + 30_000) })
  await shop.list({ title: 'Teal clock minutes', ...starting, auction_end_date: inMs(5 * 60_000 + 30_000) })
  await shop.list({ title: 'Teal clock over', ...starting, auction_end_date: inMs(50_000) })
  await visitor.clock.install()
  await visitor.goto('/?search=teal clock')
  const card = (title: string) => results(visitor).getByRole('article').filter({ hasText: title })
  await expect(card('days')).toContainText('2d 3h left')
  await expect(card('hours')).toContainText('3h 0m left')
  await expect(card('minutes')).toContainText('5m left')
  await expect(card('over')).toContainText('0m left')
  await visitor.clock.fastForward(60_000)
  await expect(card('days')).toContainText('2d 2h left')
  await expect(card('hours')).toContainText('2h 59m left')
  await expect(card('minutes')).toContainText('4m left')
  await expect(card('over')).toContainText('Auction ended')
})

test('HOME-15 title and description tell the search, the category or that it is filtered', async ({ shop }) => {
  const { visitor } = shop
  const description = () => visitor.locator('meta[name=description]').getAttribute('content')
  const [category] = await shop.seller.get<{ name: string; slug: string }[]>('/api/categories')
  await visitor.goto('/')
  const usual = await description()
  for (const [address, title] of [
    [`/?search=lamp&category=${category?.slug}`, 'lamp for Sale'],
    [`/?category=${category?.slug}`, `${category?.name} for Sale`],
    ['/?minPrice=5', 'Filtered Listings'],
  ] as const) {
    await visitor.goto(address)
    await expect(visitor).toHaveTitle(title)
    expect(await description()).not.toBe(usual)
  }
})

test('HOME-16 structured data lists the first 10 listings as offers', async ({ shop }) => {
  const { visitor } = shop
  for (let count = 1; count <= 11; count++) await shop.seller.post('/api/listings', await offer(shop, count))
  await shop.list({ title: 'Sepia print 12</script><b>', price: 12 })
  await expect(async () => {
    await visitor.goto('/?search=sepia print&sort=price-desc')
    await expect(visitor.getByText('12 items found')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  const data = JSON.parse((await visitor.locator('script[type="application/ld+json"]').textContent()) ?? '')
  const offers: { '@type': string; price: string; itemOffered: { name: string } }[] = data.mainEntity.itemListElement
  expect(offers.map(({ price }) => price)).toEqual([
    '12.00',
    '11.00',
    '10.00',
    '9.00',
    '8.00',
    '7.00',
    '6.00',
    '5.00',
    '4.00',
    '3.00',
  ])
  expect(offers[0]).toMatchObject({ '@type': 'Offer', itemOffered: { name: 'Sepia print 12</script><b>' } })
})

async function offer(shop: { seller: { get<T>(path: string): Promise<T> } }, count: number) {
  const [category] = await shop.seller.get<{ id: number }[]>('/api/categories')
  return { title: `Sepia print ${count}`, price: count, category_id: category?.id }
}

test('HOME-22 a picture that does not load shows a placeholder on a card', async ({ shop }) => {
  const { visitor } = shop
  await shop.list({ title: 'Broken picture frame', price: 5, image_urls: [`${shop.url}/demo-pictures/none.jpg`] })
  await visitor.goto('/?search=broken picture frame')
  await expect(results(visitor).getByText('Picture not available')).toBeAttached()
  await expect(results(visitor).getByRole('img')).toHaveCount(0)
})

test('more listings load as one scrolls and by the keyboard, and going back keeps place and filters', async ({
  shop,
}) => {
  const { visitor } = shop
  const [category] = await shop.seller.get<{ id: number }[]>('/api/categories')
  for (let count = 1; count <= 29; count++) {
    await shop.seller.post('/api/listings', { title: `Ochre tile ${count}`, price: count, category_id: category?.id })
  }
  await shop.list({ title: 'Ochre tile 30', price: 30 })
  await expect(async () => {
    await visitor.goto('/?search=ochre tile&sort=price-asc')
    await expect(visitor.getByText('30 items found')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(results(visitor).getByRole('article')).toHaveCount(24)
  await results(visitor).getByRole('button', { name: 'Load more' }).press('Enter')
  await expect(results(visitor).getByRole('article')).toHaveCount(30)
  const last = results(visitor).getByRole('link', { name: 'Ochre tile 28' })
  await last.scrollIntoViewIfNeeded()
  const place = await visitor.evaluate(() => window.scrollY)
  await last.click()
  await visitor.getByRole('link', { name: 'Back to listings' }).click()
  await expect(visitor).toHaveURL('/?search=ochre%20tile&sort=price-asc')
  await expect(results(visitor).getByRole('article')).toHaveCount(30)
  expect(Math.abs((await visitor.evaluate(() => window.scrollY)) - place)).toBeLessThan(200)
})
