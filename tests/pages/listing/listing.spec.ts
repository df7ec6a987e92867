import {
  consoleErrorsOf,
  expect,
  failCalls,
  holdCalls,
  inAnHour,
  inMs,
  test,
  withoutInitialData,
} from '../../support/fixtures/page-fixture.ts'

const picture = (name: string, url: string) => `${url}/favicon.svg?${name}`
const hour = 3_600_000

test('LIST-01 LIST-04 LIST-10 the page describes the item and links back', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({
    title: 'Walnut sideboard',
    price: 420,
    condition: 'like-new',
    location: 'Porto',
    description: 'Two doors,\nthree drawers',
  })
  await visitor.goto(`/listing/${item.id}`)
  const category = (await marketplace.seller.get<{ name: string }[]>('/api/categories'))[0]?.name ?? ''
  await expect(visitor.getByRole('heading', { level: 1, name: 'Walnut sideboard' })).toBeVisible()
  await expect(visitor.getByRole('article').getByRole('link', { name: category })).toBeVisible()
  await expect(visitor.getByRole('listitem').filter({ hasText: /^Like New$/ })).toBeVisible()
  await expect(visitor.getByText(/\d+ views?$/)).toBeVisible()
  await expect(visitor.getByRole('listitem').filter({ hasText: 'Porto' })).toBeVisible()
  await expect(visitor.getByRole('listitem').filter({ hasText: /^\s*Auction$/ })).toHaveCount(0)
  const details = visitor.getByRole('region', { name: 'Item Details' })
  for (const [term, value] of [
    ['Condition', 'Like New'],
    ['Category', category],
    ['Location', 'Porto'],
    ['Listed', new Date().toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric' })],
    ['Views', /^Views\d+$/],
  ] as const) {
    const row = details.getByText(term, { exact: true }).locator('..')
    await expect(row).toHaveText(typeof value === 'string' ? `${term}${value}` : value)
  }
  await expect(visitor.getByRole('region', { name: 'Description' })).toContainText('three drawers')
  await visitor.getByRole('link', { name: 'Back to listings' }).click()
  await expect(visitor).toHaveURL('/')
})

test('LIST-02 a gallery has thumbnails only for several pictures', async ({ marketplace }) => {
  const { visitor, url } = marketplace
  const images = ['a', 'b', 'c'].map((name) => picture(name, url))
  const many = await marketplace.list({ title: 'Many pictures', price: 5, image_urls: images })
  await visitor.goto(`/listing/${many.id}`)
  const strip = visitor.getByRole('list', { name: 'Thumbnails' })
  await expect(strip.getByRole('button')).toHaveCount(3)
  await strip.getByRole('button', { name: 'Show picture 2' }).click()
  await expect(visitor.getByRole('img', { name: 'Many pictures, photo 2 of 3' })).toHaveAttribute(
    'src',
    images[1] ?? '',
  )
  await visitor.getByRole('button', { name: 'Next picture' }).press('ArrowRight')
  await expect(visitor.getByRole('img', { name: 'Many pictures, photo 3 of 3' })).toBeVisible()
  const one = await marketplace.list({ title: 'One picture', price: 5, image_urls: images.slice(0, 1) })
  await visitor.goto(`/listing/${one.id}`)
  await expect(visitor.getByRole('img', { name: 'One picture' })).toBeVisible()
  await expect(strip).toHaveCount(0)
})

test('LIST-02 a URL that occurs twice has two thumbnails', async ({ marketplace }) => {
  const { visitor, url } = marketplace
  const images = [picture('a', url), picture('b', url), picture('a', url)]
  const item = await marketplace.list({ title: 'Same picture twice', price: 5, image_urls: images })
  await visitor.goto(`/listing/${item.id}`)
  const strip = visitor.getByRole('list', { name: 'Thumbnails' })
  await expect(strip.getByRole('button')).toHaveCount(3)
  await strip.getByRole('button', { name: 'Show picture 3' }).click()
  const shown = visitor.getByRole('img', { name: 'Same picture twice, photo 3 of 3' })
  await expect(shown).toHaveAttribute('src', images[2] ?? '')
})

test('LIST-02 a picture that does not load shows a placeholder, and a listing without one an empty box', async ({
  marketplace,
}) => {
  const { visitor, url } = marketplace
  const broken = await marketplace.list({
    title: 'Lost picture',
    price: 5,
    image_urls: [`${url}/lost.jpg`],
  })
  const pictures = visitor.getByRole('region', { name: 'Pictures' })
  await visitor.goto(`/listing/${broken.id}`)
  await expect(pictures.getByText('Photo unavailable')).toBeAttached()
  await expect(pictures.locator('svg.tabler-icon-photo-off')).toBeVisible()
  const none = await marketplace.list({ title: 'Lamp without a picture', price: 5 })
  await visitor.goto(`/listing/${none.id}`)
  // Similar items without pictures follow.
  const main = visitor.getByRole('main')
  await expect(main.getByText('No picture', { exact: true }).first()).toBeAttached()
  await expect(main.locator('svg.tabler-icon-box').first()).toBeVisible()
})

test('many thumbnails, some of them broken, do not widen a phone’s page', async ({ marketplace }) => {
  const { visitor, url } = marketplace
  const image_urls = Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0 ? picture(`${index}`, url) : `${url}/lost-${index}.jpg`,
  )
  const item = await marketplace.list({ title: 'Half broken', price: 5, image_urls })
  await visitor.setViewportSize({ width: 390, height: 844 })
  await visitor.goto(`/listing/${item.id}`)
  const strip = visitor.getByRole('list', { name: 'Thumbnails' })
  await expect(strip.getByText('Photo unavailable')).toHaveCount(6)
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('LIST-03 LIST-17 buyers can write to the seller, and the owner sees no buyer’s controls', async ({
  marketplace,
}) => {
  const owner = await marketplace.signIn('Olga')
  const [category] = await marketplace.seller.get<{ id: number }[]>('/api/categories')
  const terms = { category_id: category?.id, price: 9, accept_offers: true }
  const item = await owner.calls.post<{ id: string }>('/api/listings', { title: 'Own lamp', ...terms })
  const auction = await owner.calls.post<{ id: string }>('/api/listings', {
    title: 'Own auction',
    category_id: category?.id,
    is_auction: true,
    starting_bid: 5,
    buy_it_now_price: 50,
    auction_end_date: inAnHour(),
  })
  for (const id of [item.id, auction.id]) {
    await owner.page.goto(`/listing/${id}`)
    await expect(owner.page.getByText('This is your listing.')).toBeVisible()
    const controls = /Buy|Bid|Offer|Message|Favorite|Share/
    await expect(owner.page.getByRole('article').getByRole('button', { name: controls })).toHaveCount(0)
    await expect(owner.page.getByLabel('Bid amount')).toHaveCount(0)
  }
  const buyer = await marketplace.signIn('Bea')
  await buyer.page.goto(`/listing/${item.id}`)
  await buyer.page.getByRole('button', { name: 'Message Seller' }).click()
  await expect(buyer.page.getByRole('dialog', { name: 'Message Seller' })).toBeVisible()
})

for (const [age, words] of [
  [hour - 60_000, 'Just now'],
  [5 * hour, '5h ago'],
  [3 * 24 * hour, '3d ago'],
  [15 * 24 * hour, '2w ago'],
] as const) {
  test(`LIST-05 the age of a listing of ${age / hour} hours is ${words}`, async ({ marketplace }) => {
    const { visitor } = marketplace
    const item = await marketplace.list({ title: `Aged ${words}`, price: 5 })
    await withoutInitialData(visitor)
    await visitor.route(`**/api/listings/${item.id}`, async (route) => {
      const response = await route.fetch()
      // Five seconds older: the page estimates the server's clock to within a second.
      const created_at = new Date(Date.now() - age - 5_000).toISOString()
      await route.fulfill({ response, json: { ...(await response.json()), created_at } })
    })
    await visitor.goto(`/listing/${item.id}`)
    await expect(visitor.getByRole('listitem').filter({ hasText: words })).toBeVisible()
  })
}

test('LIST-06 LIST-09 a sale strikes through the original price, and shipping is shown where it costs', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const terms = { price: 80, is_on_sale: true, original_price: 100, shipping_cost: 7.25 }
  const sale = await marketplace.list({ title: 'Reduced rug', ...terms })
  await visitor.goto(`/listing/${sale.id}`)
  const price = visitor.getByRole('region', { name: 'Price' })
  await expect(price.getByText('$80.00')).toBeVisible()
  await expect(price.getByRole('deletion').or(price.locator('s'))).toHaveText('$100.00')
  await expect(price.getByText('+ $7.25 shipping')).toBeVisible()
  const plain = await marketplace.list({ title: 'Plain rug', price: 1_000_000, shipping_cost: 0 })
  await visitor.goto(`/listing/${plain.id}`)
  await expect(price.getByText('$1,000,000.00')).toBeVisible()
  await expect(price.getByText(/\+ .* shipping/)).toHaveCount(0)
})

for (const failure of ['network', { status: 404 }, { status: 500 }] as const) {
  test(`LIST-11 the page shows not found after ${JSON.stringify(failure)}`, async ({ marketplace }) => {
    const { visitor } = marketplace
    const lines = consoleErrorsOf(visitor)
    const item = await marketplace.list({ title: 'Soon unseen', price: 5 })
    await failCalls(visitor, `**/api/listings/${item.id}`, failure)
    await visitor.goto(`/listing/${item.id}`)
    await expect(visitor.getByRole('heading', { name: 'Listing not found' })).toBeVisible()
    await expect(visitor.getByText("This listing may have been removed or doesn't exist.")).toBeVisible()
    expect(lines.some((line) => line.startsWith('Failed to load listing:'))).toBe(true)
    await visitor.getByRole('main').getByRole('link', { name: 'Back to Marketplace' }).click()
    await expect(visitor).toHaveURL('/')
  })
}

test('LIST-11 an unknown listing is not found', async ({ marketplace }) => {
  await marketplace.visitor.goto('/listing/01890000-0000-7000-8000-000000000000')
  await expect(marketplace.visitor.getByRole('heading', { name: 'Listing not found' })).toBeVisible()
})

test('LIST-18 LIST-22 structured data and the description meta describe the item', async ({ marketplace }) => {
  const { visitor } = marketplace
  const description = `${'A long story of a chair. '.repeat(10)}</script><script>window.hacked = true</script>`
  const item = await marketplace.list({ title: 'Storied chair', price: 30, description })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor).toHaveTitle('Storied chair | Marketplace')
  const meta = await visitor.locator('meta[name=description]').getAttribute('content')
  expect(meta).toBe(description.slice(0, 155))
  const read = async () => JSON.parse((await visitor.locator('script[type="application/ld+json"]').textContent()) ?? '')
  const product = await read()
  expect(product).toMatchObject({
    '@type': 'Product',
    name: 'Storied chair',
    aggregateRating: { '@type': 'AggregateRating' },
    offers: { price: '30.00', priceCurrency: 'USD' },
  })
  expect(product.offers.priceValidUntil).toBe(inMs(30 * 24 * hour).slice(0, 10))
  expect(await visitor.evaluate(() => 'hacked' in window)).toBe(false)
  const rating = product.aggregateRating
  const end = inMs(50 * hour)
  const auction = await marketplace.list({
    title: 'Storied bid',
    is_auction: true,
    starting_bid: 1,
    auction_end_date: end,
  })
  await visitor.goto(`/listing/${auction.id}`)
  await expect(visitor).toHaveTitle('Storied bid | Marketplace')
  expect(await read()).toMatchObject({ aggregateRating: rating, offers: { priceValidUntil: end.slice(0, 10) } })
})

test('a listing shows a skeleton while it loads', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Slow chest', price: 8 })
  const release = await holdCalls(visitor, `**/api/listings/${item.id}`)
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByText('Loading the listing')).toBeAttached()
  await expect(visitor.getByRole('link', { name: 'Back to listings' })).toBeVisible()
  release()
  await expect(visitor.getByRole('heading', { name: 'Slow chest' })).toBeVisible()
})
