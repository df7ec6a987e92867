import type { Browser, Page } from '@playwright/test'
import {
  callsOf,
  closePage,
  consoleErrorsOf,
  expect,
  inAnHour,
  newContext,
  test,
} from '../../support/fixtures/page-fixture.ts'

const hostile = '</script><script>window.ran=1</script> "\'> \u2028 <!-- lamp'

test('a listing has metadata for crawlers and link previews without JavaScript', async ({ marketplace, browser }) => {
  const image = `${marketplace.url}/favicon.svg?a=1&b=2`
  const terms = { title: hostile, description: `Green. ${hostile}`, price: 12.5, image_urls: [image] }
  const [category] = await marketplace.seller.get<{ id: number }[]>('/api/categories')
  const item = await marketplace.seller.post<{ id: string }>('/api/listings', { ...terms, category_id: category?.id })
  const context = await browser.newContext({ baseURL: marketplace.url, javaScriptEnabled: false })
  const page = await context.newPage()
  const response = await page.goto(`/listing/${item.id}`)
  const url = `${marketplace.url}/listing/${item.id}`

  expect(response?.status()).toBe(200)
  expect(await page.title()).toContain('</script><script>window.ran=1</script>')
  const content = (selector: string) => page.locator(selector).getAttribute('content')
  expect(await content('meta[name="description"]')).toContain('Green. </script>')
  expect(await content('meta[property="og:title"]')).toContain(hostile)
  expect(await content('meta[property="og:image"]')).toBe(image)
  expect(await content('meta[property="og:url"]')).toBe(url)
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', url)
  const product = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
  expect(product).toMatchObject({ '@type': 'Product', name: hostile, offers: { price: '12.50', url } })
  await context.close()
})

test('home has metadata and offers without JavaScript, and an unknown listing is 404 and not indexed', async ({
  marketplace,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: marketplace.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page).toHaveTitle('Marketplace: buy, bid and sell')
  const site = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '')
  expect(site.mainEntity.itemListElement).toHaveLength(10)
  const gone = await page.goto('/listing/0192f000-0000-7000-8000-000000000001')
  expect(gone?.status()).toBe(404)
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
  await context.close()
})

test('S5 a hostile title is shown as text when scripts run', async ({ marketplace }) => {
  const [category] = await marketplace.seller.get<{ id: number }[]>('/api/categories')
  const item = await marketplace.seller.post<{ id: string }>('/api/listings', {
    title: hostile,
    price: 5,
    category_id: category?.id,
  })
  await marketplace.visitor.goto(`/listing/${item.id}`)
  await expect(marketplace.visitor.getByRole('heading', { level: 1 })).toContainText(
    '</script><script>window.ran=1</script>',
  )
  expect(await marketplace.visitor.evaluate(() => 'ran' in window)).toBe(false)
  await expect(marketplace.visitor.locator('script[type="application/ld+json"]')).toHaveCount(1)
})

test('home renders from its initial data and requests none of it again', async ({ marketplace }) => {
  const { visitor } = marketplace
  const calls = callsOf(visitor, '/api/')
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { name: 'All listings' })).toBeVisible()
  await expect(visitor.getByRole('article').first()).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  expect(calls.map(({ url }) => url.pathname)).toEqual(['/api/users/me'])
})

test('a listing renders before any API response, and the deferred refetch counts the view', async ({
  marketplace,
  browser,
}) => {
  const item = await marketplace.list({ title: 'Drawn at once', price: 30 })
  const page = await (await newContext(browser, marketplace.url)).newPage()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/api/listings/${item.id}`, async (route) => {
    await promise
    await route.fallback()
  })
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Drawn at once' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$30.00')).toBeVisible()
  resolve()
  const views = async () =>
    (await marketplace.seller.get<{ view_count: number }>(`/api/listings/${item.id}`)).view_count
  await expect.poll(views).toBe(1)
  await closePage(page)
})

test('home and a listing show their content without JavaScript', async ({ marketplace, browser }) => {
  const item = await marketplace.list({ title: 'Drawn on the server', price: 1234.5 })
  const context = await browser.newContext({ baseURL: marketplace.url, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Buy and sell secondhand finds')
  const box = page.getByRole('search', { name: 'Search listings' }).getByRole('combobox')
  for (const empty of ['', '   ']) {
    await box.fill(empty)
    await box.press('Enter')
    await expect(page).toHaveURL('/')
  }
  await box.fill('lamp')
  await box.press('Enter')
  await expect(page).toHaveURL('/?search=lamp')
  await page.goto(`/listing/${item.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Drawn on the server')
  await expect(page.getByText('$1,234.50')).toBeVisible()
  await context.close()
})

test('the prerendered HTML is hydrated unchanged, in another time zone and when signed in', async ({
  marketplace,
  browser,
}) => {
  const fixed = await marketplace.list({ title: 'Taken over', price: 30, description: '"Quoted" & <b>bold</b>' })
  const auction = await marketplace.list({
    title: 'Taken over live',
    is_auction: true,
    starting_bid: 5,
    auction_end_date: inAnHour(),
  })
  const { page: signedIn } = await marketplace.signIn('Ida')
  const cookies = await signedIn.context().cookies()
  const context = await browser.newContext({ baseURL: marketplace.url, timezoneId: 'Asia/Tokyo' })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const errors = consoleErrorsOf(page)
  page.on('pageerror', (error) => errors.push(error.message))
  // Listings of other tests have pictures that do not exist.
  await page.route('**/lost*.jpg', (route) => route.abort())
  await page.addInitScript(() => {
    // Captured before any script of the page runs, so that client-rendered elements are excluded.
    document.addEventListener('readystatechange', () => {
      const drawn = document.querySelector('header')
      if (document.readyState === 'interactive') Object.assign(window, { drawn })
    })
  })
  const results = ['/?search=taken+over', '/?search=taken+over&format=fixed&view=list', '/?search=taken+zzqqzz']
  const paths = [
    '/',
    ...results,
    `/listing/${fixed.id}`,
    `/listing/${auction.id}`,
    '/create-listing',
    '/messages',
    '/terms',
  ]
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
    expect(await page.evaluate(() => 'drawn' in window && document.querySelector('header') === window.drawn)).toBe(true)
  }
  await page.goto(`/listing/${fixed.id}`)
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
  // Pictures of other listings are blocked above or at an unreachable address.
  expect(errors.filter((error) => !error.startsWith('Failed to load resource: net::'))).toEqual([])
  await context.close()
})

/** Delays the page's scripts until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/(?!before-hydration).*\.js$/, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

/**
 * Opens the home page in a new context and waits for its first paint, which before-hydration.ts precedes. The modules
 * load after `release`.
 */
async function openBeforeScripts(browser: Browser, url: string): Promise<{ page: Page; release: () => void }> {
  const page = await (await newContext(browser, url)).newPage()
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
  return { page, release }
}

test('a button that is clicked before the scripts load takes effect once they have', async ({
  marketplace,
  browser,
}) => {
  const { page, release } = await openBeforeScripts(browser, marketplace.url)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('search', { name: 'Search listings' }).getByRole('combobox').fill('early lamp')
  release()
  await expect(page.getByRole('button', { name: 'Filters' })).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('spinbutton', { name: 'Min price' })).toBeVisible()
  await page.getByRole('search', { name: 'Search listings' }).getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL('/?search=early+lamp')
  await closePage(page)
})

test('a sort order that is chosen before the scripts load takes effect once they have', async ({
  marketplace,
  browser,
}) => {
  const { page, release } = await openBeforeScripts(browser, marketplace.url)
  const order = page.getByRole('combobox', { name: 'Sort by' })
  await order.selectOption({ label: 'Price: low to high' })
  await page.getByRole('button', { name: 'Filters' }).click()
  release()
  await expect(page).toHaveURL('/?sort=price-asc')
  await expect(order).toHaveValue('price-asc')
  await expect(page.getByRole('button', { name: 'Filters' })).toHaveAttribute('aria-expanded', 'true')
  await closePage(page)
})

test('SRCH-03 SRCH-06 a term typed before the scripts load gets suggestions once they have, and an empty one is not sent', async ({
  marketplace,
  browser,
}) => {
  await marketplace.list({ title: 'Zephyr kite', price: 12 })
  const { page, release } = await openBeforeScripts(browser, marketplace.url)
  const search = page.getByRole('search', { name: 'Search listings' })
  const box = search.getByRole('combobox')
  await box.fill('   ')
  await box.press('Enter')
  await expect(page).toHaveURL('/')
  await box.fill('zephy')
  release()
  await expect(search.getByRole('option').filter({ hasText: 'Zephyr kite' })).toBeVisible()
  await expect(box).toHaveValue('zephy')
  await expect(page).toHaveURL('/')
  await closePage(page)
})

test('SRCH-05 a search sent before the scripts load is shown and tracked once they have', async ({
  marketplace,
  browser,
}) => {
  await marketplace.list({ title: 'Quixotic umbrella', price: 12 })
  const { page, release } = await openBeforeScripts(browser, marketplace.url)
  const tracked = callsOf(page, '/api/search/track')
  const box = page.getByRole('search', { name: 'Search listings' }).getByRole('combobox')
  await box.fill('quixotic umbrella')
  await box.press('Enter')
  release()
  await expect(page.getByRole('heading', { name: 'Search results for quixotic umbrella' })).toBeVisible()
  await expect.poll(() => tracked.map(({ body }) => body)).toMatchObject([{ search_term: 'quixotic umbrella' }])
  await closePage(page)
})
