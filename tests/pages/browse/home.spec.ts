import type { Page } from '@playwright/test'
import {
  respondWith,
  callsOf,
  consoleErrorsOf,
  expect,
  failCalls,
  holdCalls,
  inMs,
  openHydrated,
  test,
  uniqueWord,
  withoutInitialData,
} from '../../support/fixtures/page-fixture.ts'

const listings = /\/api\/listings(\?|$)/

function results(page: Page) {
  return page.getByRole('region', { name: /^(All listings|Listings)$/ })
}

test('HOME-01 HOME-03 filters in the URL are sent to the server, and heading and count describe the results', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const kettle = uniqueWord('kettle')
  await marketplace.list({ title: `Zinc ${kettle} one`, price: 20, condition: 'new' })
  await withoutInitialData(visitor)
  const requests = callsOf(visitor, '/api/listings')
  await visitor.goto(`/?search=zinc ${kettle}&category=art&condition=new&minPrice=10&maxPrice=30`)
  await expect(visitor.getByRole('heading', { name: `Search results for zinc ${kettle}` })).toBeVisible()
  await expect(visitor.getByText('1 item found')).toBeVisible()
  expect(Object.fromEntries(requests[0]?.url.searchParams ?? [])).toMatchObject({
    search: `zinc ${kettle}`,
    category: 'art',
    condition: 'new',
    minPrice: '10',
    maxPrice: '30',
  })
  await marketplace.list({ title: `Zinc ${kettle} two`, price: 20, condition: 'new' })
  await visitor.goto(`/?search=zinc ${kettle}`)
  await expect(visitor.getByText('2 items found')).toBeVisible()
  await visitor.goto('/?condition=new')
  await expect(visitor.getByRole('heading', { name: 'Browse listings' })).toBeVisible()
  await expect(visitor.getByRole('main').getByRole('combobox', { name: 'Search listings' })).toBeVisible()
})

test('HOME-02 HOME-21 the hero has a search box, six trending terms and three blurbs without filters', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const terms = ['lamp', 'desk', 'sofa', 'bike', 'coat', 'ring', 'vase'].map((search_term) => ({ search_term }))
  await respondWith(visitor, '**/api/search/trending', terms)
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

test('HOME-21 a failure of the trending terms is only logged, and no terms are shown', async ({ marketplace }) => {
  const { visitor } = marketplace
  const lines = consoleErrorsOf(visitor)
  await failCalls(visitor, '**/api/search/trending', { status: 400 })
  await visitor.goto('/')
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to load trending searches:'))).toBe(true)
  await expect(visitor.getByRole('navigation', { name: 'Trending searches' }).getByRole('link')).toHaveCount(0)
  await expect(visitor.getByRole('alert')).toHaveCount(0)
})

test('HOME-06 HOME-09 HOME-12 cards form a grid or a list, and each links to its listing', async ({ marketplace }) => {
  const { visitor } = marketplace
  const title = `Umber ${uniqueWord('bowl')}`
  const item = await marketplace.list({
    title,
    price: 9,
    shipping_cost: 4.5,
    description: 'Thrown by hand',
  })
  await visitor.goto(`/?search=${title}`)
  await expect(visitor.getByRole('button', { name: 'Grid view' })).toHaveAttribute('aria-pressed', 'true')
  await expect(results(visitor).getByText('Thrown by hand')).toBeHidden()
  await visitor.getByRole('button', { name: 'List view' }).click()
  await expect(visitor.getByRole('button', { name: 'List view' })).toHaveAttribute('aria-pressed', 'true')
  await expect(results(visitor).getByText('Thrown by hand')).toBeVisible()
  await expect(results(visitor).getByText('+$4.50 shipping')).toBeVisible()
  await results(visitor).getByRole('link', { name: title }).click()
  await expect(visitor).toHaveURL(`/listing/${item.id}`)
})

test('HOME-12 the list view of the home page shows the descriptions', async ({ marketplace }) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Ochre jug', price: 9, description: 'Glazed twice and never used' })
  const description = results(visitor).getByText('Glazed twice and never used')
  await visitor.goto('/')
  await visitor.getByRole('button', { name: 'List view' }).click()
  await expect(description).toBeVisible()
  // The second page is loaded with descriptions. The prerendered first page has none.
  await openHydrated(visitor, '/')
  const cards = results(visitor).getByRole('article')
  await expect(async () => {
    await visitor.mouse.wheel(0, 5_000)
    expect(await cards.count()).toBeGreaterThan(24)
  }).toPass()
  await visitor.getByRole('button', { name: 'List view' }).click()
  await expect(description).toBeVisible()
})

test('HOME-07 8 skeleton cards are shown while listings load', async ({ marketplace }) => {
  const { visitor } = marketplace
  for (const address of ['/?search=lamp', '/']) {
    const release = await holdCalls(visitor, listings)
    await visitor.goto(address)
    await expect(visitor.getByTestId('skeleton-card')).toHaveCount(8)
    release()
    await expect(visitor.getByTestId('skeleton-card')).toHaveCount(0)
  }
})

test('HOME-08 HOME-03 a message is shown when nothing was found', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.goto('/?search=qqqqzzzz')
  await expect(visitor.getByRole('heading', { name: 'No listings found' })).toBeVisible()
  await expect(visitor.getByText('Try adjusting your search criteria or browse different categories.')).toBeVisible()
  await expect(visitor.getByText('0 items found')).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Clear search and filters' })).toHaveAttribute('href', '/')
})

test('HOME-08 an empty marketplace offers no search or filters to clear', async ({ marketplace }) => {
  const { visitor } = marketplace
  await respondWith(visitor, listings, [])
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { name: 'No listings found' })).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Clear search and filters' })).toHaveCount(0)
})

test('HOME-20 a list that fails to load is only logged, and stays empty', async ({ marketplace }) => {
  const { visitor } = marketplace
  const lines = consoleErrorsOf(visitor)
  await failCalls(visitor, listings, { status: 400, error: 'No.' })
  await visitor.goto('/?search=lamp')
  await expect(visitor.getByRole('heading', { name: 'No listings found' })).toBeVisible()
  expect(lines.some((line) => line.startsWith('Failed to load listings:'))).toBe(true)
  await expect(visitor.getByRole('alert')).toHaveCount(0)
})

test('HOME-10 HOME-11 HOME-12 a card shows the current bid, the starting bid or the price, and the discount', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const jar = uniqueWord('jar')
  const auction = { is_auction: true, starting_bid: 10, auction_end_date: inMs(7_200_000) }
  await marketplace.list({ title: `Cobalt ${jar} untouched`, ...auction })
  const wanted = await marketplace.list({ title: `Cobalt ${jar} wanted`, ...auction })
  await marketplace.list({ title: `Cobalt ${jar} reduced`, price: 67, is_on_sale: true, original_price: 100 })
  await marketplace.list({ title: `Cobalt ${jar} rounded up`, price: 17.49, is_on_sale: true, original_price: 20 })
  await marketplace.list({ title: `Cobalt ${jar} rounded down`, price: 17.51, is_on_sale: true, original_price: 20 })
  await (await marketplace.signIn('Bob')).calls.post('/api/bids', { listing_id: wanted.id, amount: 12.5 })
  await expect(async () => {
    await visitor.goto(`/?search=cobalt ${jar}`)
    const card = (title: string) => results(visitor).getByRole('article').filter({ hasText: title })
    await expect(card('untouched')).toContainText('$10.00', { timeout: 1_000 })
    await expect(card('wanted')).toContainText('$12.50', { timeout: 1_000 })
    await expect(card('reduced')).toContainText('$67.00', { timeout: 1_000 })
    await expect(card('reduced')).toContainText('-33%')
    await expect(card('rounded up')).toContainText('-13%')
    await expect(card('rounded down')).toContainText('-12%')
    await expect(card('reduced')).toContainText('Free shipping')
  }).toPass()
})

test('HOME-13 the countdown of a card updates every minute until the end', async ({ marketplace }) => {
  const { visitor } = marketplace
  const clock = uniqueWord('clock')
  const starting = { is_auction: true, starting_bid: 10 }
  await marketplace.list({
    title: `Teal ${clock} days`,
    ...starting,
    auction_end_date: inMs((2 * 24 + 3) * 3_600_000 + 30_000),
  })
  await marketplace.list({ title: `Teal ${clock} hours`, ...starting, auction_end_date: inMs(3 * 3_600_000 + 30_000) })
  await marketplace.list({ title: `Teal ${clock} minutes`, ...starting, auction_end_date: inMs(5 * 60_000 + 30_000) })
  await marketplace.list({ title: `Teal ${clock} over`, ...starting, auction_end_date: inMs(40_000) })
  await visitor.clock.install()
  await openHydrated(visitor, `/?search=teal ${clock}`)
  const card = (title: string) => results(visitor).getByRole('article').filter({ hasText: title })
  await expect(card('days')).toContainText('2d 3h left')
  await expect(card('hours')).toContainText('3h 0m left')
  await expect(card('minutes')).toContainText('5m left')
  await expect(card('over')).toContainText('0m left')
  await visitor.clock.fastForward(45_000)
  await expect(card('over')).toContainText('0m left')
  await visitor.clock.fastForward(15_000)
  await expect(card('days')).toContainText('2d 2h left')
  await expect(card('hours')).toContainText('2h 59m left')
  await expect(card('minutes')).toContainText('4m left')
  await expect(card('over')).toContainText('Auction ended')
})

test('HOME-15 title and description name the search, the category or that the list is filtered', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const description = () => visitor.locator('meta[name=description]').getAttribute('content')
  const [category] = await marketplace.seller.get<{ name: string; slug: string }[]>('/api/categories')
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

test('HOME-16 structured data lists the first 10 listings as offers', async ({ marketplace }) => {
  const { visitor } = marketplace
  const print = uniqueWord('print')
  const [category] = await marketplace.seller.get<{ id: number }[]>('/api/categories')
  for (let price = 1; price <= 11; price++)
    await marketplace.seller.post('/api/listings', { title: `Sepia ${print}`, price, category_id: category?.id })
  await marketplace.list({ title: `Sepia ${print} </script><b>`, price: 12 })
  await expect(async () => {
    await visitor.goto(`/?search=sepia ${print}&sort=price-desc`)
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
  expect(offers[0]).toMatchObject({ '@type': 'Offer', itemOffered: { name: `Sepia ${print} </script><b>` } })
})

test('HOME-22 a picture that does not load shows a placeholder on a card', async ({ marketplace }) => {
  const { visitor } = marketplace
  await marketplace.list({
    title: 'Broken picture frame',
    price: 5,
    image_urls: [`${marketplace.url}/lost.jpg`],
  })
  await visitor.goto('/?search=broken picture frame')
  await expect(results(visitor).getByText('Photo unavailable')).toBeAttached()
  await expect(results(visitor).getByRole('img')).toHaveCount(0)
})

test('more listings load by scrolling and by keyboard, and going back keeps position and filters', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const series = uniqueWord('ochre')
  const [category] = await marketplace.seller.get<{ id: number }[]>('/api/categories')
  for (let count = 1; count <= 29; count++) {
    await marketplace.seller.post('/api/listings', {
      title: `Tile ${series} ${count}`,
      price: count,
      category_id: category?.id,
    })
  }
  await marketplace.list({ title: `Tile ${series} 30`, price: 30 })
  await expect(async () => {
    await visitor.goto(`/?search=${series}&sort=price-asc`)
    await expect(visitor.getByText('30 items found')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(results(visitor).getByRole('article')).toHaveCount(24)
  await results(visitor).getByRole('button', { name: 'Load more' }).press('Enter')
  await expect(results(visitor).getByRole('article')).toHaveCount(30)
  const last = results(visitor).getByRole('link', { name: `Tile ${series} 28` })
  await last.scrollIntoViewIfNeeded()
  const place = await visitor.evaluate(() => window.scrollY)
  await last.click()
  await visitor.getByRole('link', { name: 'Back to listings' }).click()
  await expect(visitor).toHaveURL(`/?search=${series}&sort=price-asc`)
  await expect(results(visitor).getByRole('article')).toHaveCount(30)
  const distance = async () => Math.abs((await visitor.evaluate(() => window.scrollY)) - place)
  await expect.poll(distance).toBeLessThan(200)
})
