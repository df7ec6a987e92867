import { callsOf, expect, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

test('SRCH-24 the results of a search and of a filter are shown without JavaScript', async ({
  marketplace,
  browser,
}) => {
  await marketplace.list({ title: 'Marbled inkstand', description: 'With a quill.', price: 42 })
  await marketplace.list({ title: 'Goose feather', description: 'For a marbled inkstand.', price: 3 })
  const context = await browser.newContext({ baseURL: marketplace.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/?search=marbled+inkstand')
  await expect(page).toHaveTitle('marbled inkstand for Sale')
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex, follow')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search results for marbled inkstand')
  await expect(page.getByText('2 items found')).toBeVisible()
  await expect(page.getByRole('article').first()).toContainText('$42.00')
  const described = page.getByRole('region', { name: 'Mentioned in the description' })
  await expect(described.getByRole('link', { name: 'Goose feather' })).toBeVisible()
  await page.goto('/?search=marbled+inkstand&maxPrice=10')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Price: up to $10')
  await page.goto('/?search=inkstand+zzqqzz')
  await expect(page.getByRole('heading', { name: 'No listings found' })).toBeVisible()
  await context.close()
})

test('SRCH-24 results are rendered from the initial data, which is not requested again', async ({ marketplace }) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Gilded sextant', price: 60 })
  const calls = callsOf(visitor, '/api/')
  await openHydrated(visitor, '/?search=gilded+sextant')
  await expect(visitor.getByText('1 item found')).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  expect(calls.map(({ url }) => url.pathname)).toEqual(['/api/users/me'])
})

test('SRCH-24 the picture of the first result is fetched before all others, with high priority', async ({
  marketplace,
  browser,
}) => {
  const picture = { image_urls: [`${marketplace.url}/favicon.svg`] }
  for (let count = 1; count <= 6; count++)
    await marketplace.list({ title: `Fretwork clock ${count}`, price: count, ...picture })
  const context = await browser.newContext({ baseURL: marketplace.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/?search=fretwork+clock')
  const images = page.getByRole('article').locator('img')
  await expect(images).toHaveCount(6)
  const attributes = (name: string) =>
    images.evaluateAll((all, attribute) => all.map((image) => image.getAttribute(attribute)), name)
  expect(await attributes('loading')).toEqual(['eager', 'lazy', 'lazy', 'lazy', 'lazy', 'lazy'])
  expect(await attributes('fetchpriority')).toEqual(['high', null, null, null, null, null])
  await context.close()
})
