import { consoleErrorsOf, expect, failCalls, respondWith, test } from '../../support/fixtures/page-fixture.ts'

const notice = "We're having trouble loading this page. Trying again…"

const lists = [
  { path: '/?search=samphire', calls: /\/api\/listings\?/, empty: 'No listings found' },
  { path: '/my-listings', calls: /\/api\/users\/me\/listings/, empty: 'No listings yet' },
  { path: '/my-bids', calls: /\/api\/users\/me\/bids/, empty: 'No active bids' },
  { path: '/watchlist', calls: /\/api\/watchlist\?/, empty: 'Your favorites list is empty' },
  { path: '/transactions', calls: /\/api\/transactions/, empty: 'No transactions yet' },
  { path: '/messages', calls: /\/api\/conversations/, empty: 'No conversations yet' },
]

for (const { path, calls, empty } of lists) {
  test(`SHELL-09 ${path} stays empty after a failed read, with a notice until a read succeeds`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Ada')
    const lines = consoleErrorsOf(page)
    const failures = () => lines.filter((line) => line.startsWith('Failed to load ')).length
    await failCalls(page, calls, { status: 503 })
    await page.goto(path)
    await expect(page.getByText(notice)).toBeVisible()
    await expect(page.getByRole('heading', { name: empty })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect.poll(failures).toBeGreaterThan(1)
    await expect(page.getByRole('heading', { name: empty })).toBeVisible()
    await page.unroute(calls)
    await expect(page.getByText(notice)).toHaveCount(0, { timeout: 20_000 })
    await expect(page.getByRole('heading', { name: empty })).toBeVisible()
  })
}

test('SHELL-09 the empty list does not change to the loading state while a failed read is repeated', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await failCalls(page, /\/api\/transactions/, { status: 503 })
  await page.goto('/transactions')
  await expect(page.getByText(notice)).toBeVisible()
  await page.unroute(/\/api\/transactions/)
  const repeated = page.waitForRequest(/\/api\/transactions/)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/api\/transactions/, async (route) => {
    await promise
    await route.fallback()
  })
  await repeated
  await expect(page.getByRole('heading', { name: 'No transactions yet' })).toBeVisible()
  await expect(page.getByText(notice)).toBeVisible()
  resolve()
  await expect(page.getByText(notice)).toHaveCount(0)
})

test('SHELL-09 the items appear with the first success, and a failed poll shows the notice too', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await failCalls(page, /\/api\/watchlist\?/, 'network')
  const item = await marketplace.list({ title: 'Late lamp', price: 20 })
  await page.goto('/watchlist')
  await expect(page.getByText(notice)).toBeVisible()
  const listing = await marketplace.seller.get<object>(`/api/listings/${item.id}`)
  await page.unroute(/\/api\/watchlist\?/)
  await respondWith(page, /\/api\/watchlist\?/, [listing])
  await expect(page.getByRole('main').getByRole('link', { name: 'Late lamp' })).toBeVisible()
  await expect(page.getByText(notice)).toHaveCount(0)
  await page.goto('/messages')
  await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible()
  await failCalls(page, /\/api\/conversations/, { status: 500 })
  await expect(page.getByText(notice)).toBeVisible()
})

test('SHELL-09 a listing that does not exist is not requested again and shows no notice', async ({ marketplace }) => {
  const { visitor } = marketplace
  const lines = consoleErrorsOf(visitor)
  await visitor.clock.install()
  await visitor.goto('/listing/0197a000-0000-7000-8000-000000000000')
  await expect(visitor.getByRole('heading', { name: 'Listing not found' })).toBeVisible()
  await expect(visitor.getByText(notice)).toHaveCount(0)
  const failures = () => lines.filter((line) => line.startsWith('Failed to load listing:')).length
  const before = failures()
  await visitor.clock.runFor(31_000)
  expect(failures()).toBe(before)
})
