import type { Page } from '@playwright/test'
import {
  respondWith,
  callsOf,
  consoleErrorsOf,
  expect,
  failCalls,
  openHydrated,
  test,
} from '../../support/fixtures/page-fixture.ts'

function searchBox(page: Page) {
  return page.getByRole('main').getByRole('combobox', { name: 'Search listings' })
}

function options(page: Page) {
  return page.getByRole('main').getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
}

const terms = (...names: string[]) => names.map((search_term) => ({ search_term }))

test('HOME-17 the dropdown has up to 5 recent and 5 trending terms, at most 8, without duplicates', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await respondWith(visitor, '**/api/search/history*', terms('Lamp', 'desk', 'sofa', 'bike', 'coat', 'ring'))
  await respondWith(visitor, '**/api/search/trending', terms('lamp', 'vase', 'tent', 'boots', 'radio', 'atlas'))
  await visitor.goto('/')
  const box = searchBox(visitor)
  await box.click()
  await expect(box).toHaveAttribute('aria-expanded', 'true')
  await expect(options(visitor)).toHaveText([/^Lamp/, /^desk/, /^sofa/, /^bike/, /^coat/, /^vase/, /^tent/, /^boots/])
})

test('SRCH-03 suggestions replace the dropdown once text is typed, and the keyboard selects one', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Heliotrope brooch', price: 30 })
  const requests = callsOf(visitor, '/api/search/suggestions')
  await visitor.goto('/')
  const box = searchBox(visitor)
  await box.fill('   ')
  await box.fill('heliot')
  const option = options(visitor).filter({ hasText: 'Heliotrope brooch' })
  await expect(option).toBeVisible()
  expect(requests.map(({ url }) => url.searchParams.get('q'))).not.toContain('')
  await box.press('ArrowDown')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(box).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? 'none')
  await box.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Search results for Heliotrope brooch' })).toBeVisible()
  await expect(options(visitor)).toHaveCount(0)
})

test('Escape closes the dropdown and keeps the text', async ({ marketplace }) => {
  const { visitor } = marketplace
  await respondWith(visitor, '**/api/search/suggestions*', [{ title: 'Lamp', type: 'search' }])
  await visitor.goto('/')
  const box = searchBox(visitor)
  await box.fill('lam')
  await expect(options(visitor)).toHaveCount(1)
  await box.press('Escape')
  await expect(options(visitor)).toHaveCount(0)
  await expect(box).toHaveValue('lam')
})

test('SRCH-05 SRCH-07 a search is tracked once with its count and the session id of local storage', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Vermilion scarf', price: 15 })
  const tracked = callsOf(visitor, '/api/search/track')
  const history = callsOf(visitor, '/api/search/history')
  await visitor.goto('/')
  const box = searchBox(visitor)
  await box.fill(' vermilion scarf ')
  await box.press('Enter')
  await expect.poll(() => tracked).toHaveLength(1)
  const { session_id: sessionId } = tracked[0]!.body as { session_id: string }
  expect(tracked[0]).toMatchObject({
    method: 'POST',
    body: { search_term: 'vermilion scarf', session_id: sessionId, result_count: 1 },
  })
  expect(await visitor.evaluate(() => Object.values(localStorage))).toContain(sessionId)
  await visitor.reload()
  await expect(visitor.getByText('1 item found')).toBeVisible()
  await searchBox(visitor).click()
  await expect(options(visitor).filter({ hasText: 'vermilion scarf' })).toBeVisible()
  expect(history.every(({ url }) => url.searchParams.get('session_id') === sessionId)).toBe(true)
  // Reloading does not count as a search.
  expect(tracked).toHaveLength(1)
})

test('HOME-18 recent and trending terms are fetched again about 100 ms after a search', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openHydrated(visitor, '/')
  const box = searchBox(visitor)
  // A refetch during the first request would reuse that request.
  const firstHistory = visitor.waitForResponse('**/api/search/history*')
  await box.fill('lamp')
  await (await firstHistory).finished()
  const history = callsOf(visitor, '/api/search/history')
  const trending = callsOf(visitor, '/api/search/trending')
  await visitor.clock.install()
  await visitor.clock.pauseAt(Date.now() + 60_000)
  history.length = trending.length = 0
  await box.press('Enter')
  await visitor.clock.runFor(90)
  expect(trending).toHaveLength(0)
  await visitor.clock.runFor(20)
  await expect.poll(() => trending.length).toBe(1)
  await expect.poll(() => history.length).toBeGreaterThan(0)
})

test('SRCH-06 no search box sends an empty term', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.goto('/')
  const tracked = callsOf(visitor, '/api/search/track')
  const listed = callsOf(visitor, '/api/listings')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  for (const name of ['Search listings', 'Search the marketplace']) {
    const box = visitor.getByRole('combobox', { name })
    await box.fill('   ')
    await box.press('Enter')
    await expect(visitor).toHaveURL('/')
  }
  expect(tracked).toEqual([])
  expect(listed.filter(({ url }) => url.searchParams.has('search'))).toEqual([])
  await visitor.goto('/?search=lamp')
  const box = searchBox(visitor)
  await box.fill(' ')
  await box.press('Enter')
  await expect(visitor).toHaveURL('/?search=lamp')
})

test('SRCH-08 failures of history, suggestions and tracking are only logged', async ({ marketplace }) => {
  const { visitor } = marketplace
  const lines = consoleErrorsOf(visitor)
  await failCalls(visitor, /\/api\/search\/(history|suggestions|track|trending)/, { status: 400 })
  await visitor.goto('/')
  const box = searchBox(visitor)
  await box.click()
  await box.fill('lamp')
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to load suggestions:'))).toBe(true)
  await box.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Search results for lamp' })).toBeVisible()
  for (const failure of ['Failed to load search history:', 'Failed to track search:']) {
    await expect.poll(() => lines.some((line) => line.startsWith(failure))).toBe(true)
  }
  await expect(visitor.getByRole('alert')).toHaveCount(0)
})
