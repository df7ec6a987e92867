import type { BrowserContext, Page } from '@playwright/test'
import { newId } from '@marketplace/kit/values/ids.ts'
import { closePage, expect, inAnHour, test } from '../../support/fixtures/page-fixture.ts'

const hostile = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror="window.hacked=1">',
  '"><svg onload=window.hacked=1>',
  '</script><script>window.hacked=1</script>',
  '<a href="javascript:window.hacked=1">x</a>',
].join(' ')

async function isHacked(page: Page): Promise<boolean> {
  return page.evaluate(() => 'hacked' in window)
}

/** Opens a page of the same user with the Content-Security-Policy bypassed, so that only escaping protects it. */
async function withoutPolicy(page: Page): Promise<Page> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser.')
  const context: BrowserContext = await browser.newContext({
    bypassCSP: true,
    baseURL: new URL(page.url()).origin,
    storageState: await page.context().storageState(),
  })
  return context.newPage()
}

test('hostile titles, descriptions, locations, names and messages are text on every page, even without the policy', async ({
  marketplace,
}) => {
  const seller = await marketplace.signIn('Sue')
  const buyer = await marketplace.signIn('B&lt;b&gt;')
  const [category] = await seller.calls.get<{ id: number }[]>('/api/categories')
  const fields = { description: hostile, location: hostile.slice(0, 200), category_id: category?.id }
  const fixed = await seller.calls.post<{ id: string }>('/api/listings', {
    ...fields,
    title: `Pickle ${hostile}`.slice(0, 200),
    price: 5,
    accept_offers: true,
    image_urls: [
      `${marketplace.url}/none.png?%22onerror=%22window.hacked=1`,
      'https://127.0.0.1:9/%3Csvg/onload=window.hacked=1%3E',
    ],
  })
  const auction = { is_auction: true, starting_bid: 5, auction_end_date: inAnHour() }
  const other = await seller.calls.post<{ id: string }>('/api/listings', {
    ...fields,
    ...auction,
    title: hostile.slice(0, 190),
  })
  await buyer.calls.post('/api/offers', { listing_id: fixed.id, amount: 4, message: hostile })
  await buyer.calls.post('/api/watchlist', { listing_id: fixed.id })
  await buyer.calls.post('/api/conversations', { listing_id: fixed.id, message_text: hostile })
  await buyer.calls.post('/api/search/track', { search_term: hostile.slice(0, 180), session_id: 'x', result_count: 1 })

  const draft = { title: hostile, images: [{ url: 'javascript:window.hacked=1' }] }
  expect((await seller.calls.send('PUT', `/api/drafts/${newId()}`, draft)).status).toBe(200)

  await seller.page.goto('/terms')
  await buyer.page.goto('/terms')
  const pages = [
    [
      await withoutPolicy(seller.page),
      ['/my-listings', '/my-listings?status=drafts', '/offers', '/messages', `/listing/${fixed.id}`],
    ],
    [
      await withoutPolicy(buyer.page),
      [
        '/?search=pickle',
        '/?search=pickle&view=list',
        '/watchlist',
        '/offers?tab=made',
        '/messages',
        `/listing/${fixed.id}`,
        `/listing/${other.id}`,
        `/?search=${encodeURIComponent(hostile)}`,
      ],
    ],
  ] as const
  for (const [page, paths] of pages) {
    await page.setViewportSize({ width: 390, height: 800 })
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText('window.hacked=1').first()).toBeVisible()
      expect(await isHacked(page), path).toBe(false)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at 390`).toBeLessThanOrEqual(390)
    }
    await closePage(page)
  }
})

test('the policy blocks injected scripts, handlers, URLs, styles, frames and foreign calls', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  const blocked = await visitor.evaluate(async () => {
    const seen: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective))
    const add = (html: string) => document.body.insertAdjacentHTML('beforeend', html)
    const script = document.createElement('script')
    script.textContent = 'window.hacked = 1'
    document.body.append(script)
    add('<img src="/none.png" onerror="window.hacked = 1">')
    add('<a id="bad" href="javascript:window.hacked=1">x</a>')
    document.querySelector<HTMLElement>('#bad')?.click()
    add('<iframe src="https://127.0.0.1:9/"></iframe>')
    const foreign = document.createElement('script')
    foreign.src = 'https://127.0.0.1:9/evil.js'
    document.body.append(foreign)
    await fetch('https://127.0.0.1:9/steal').catch(() => {})
    const deadline = performance.now() + 5_000
    while (new Set(seen).size < 5 && performance.now() < deadline) await new Promise(requestAnimationFrame)
    return [...new Set(seen)].toSorted()
  })
  expect(blocked).toEqual(['connect-src', 'frame-src', 'script-src-attr', 'script-src-elem'].toSorted())
  expect(await isHacked(visitor)).toBe(false)
  // In a timer: Playwright exempts its own evaluate call from the policy.
  const evaluated = await visitor.evaluate(
    () =>
      new Promise((resolve) => {
        setTimeout(() => {
          try {
            // oxlint-disable-next-line no-eval -- It is to be refused.
            resolve(String(globalThis.eval('1 + 1')))
          } catch (error) {
            resolve((error as Error).name)
          }
        })
      }),
  )
  expect(evaluated).toBe('EvalError')
})

test('an API response that contains HTML runs nothing', async ({ marketplace }) => {
  const { visitor } = marketplace
  const response = await visitor.goto(`/api/listings?search=${encodeURIComponent(hostile)}`)
  expect(response?.headers()['x-content-type-options']).toBe('nosniff')
  expect(response?.headers()['content-type']).toContain('json')
  expect(await isHacked(visitor)).toBe(false)
})
