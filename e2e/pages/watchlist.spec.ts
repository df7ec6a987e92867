import { callsOf, consoleOf, expect, failing, holding, test } from '../src/shop.ts'

test('HOME-14 HOME-23 a card’s heart asks its state, adds and removes, at once', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const item = await shop.list({ title: 'Hearted globe', price: 5 })
  const calls = callsOf(page, '/api/watchlist')
  await page.goto('/?search=hearted globe')
  const heart = page.getByRole('button', { name: 'Favorite Hearted globe' })
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await expect
    .poll(() => calls.map(({ method, url }) => `${method} ${url.pathname}`))
    .toEqual([`GET /api/watchlist/check/${item.id}`])
  const goOn = await holding(page, '**/api/watchlist')
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  goOn()
  await expect.poll(() => calls.at(1)).toMatchObject({ method: 'POST', body: { listing_id: item.id } })
  await expect
    .poll(() => page.request.get(`/api/watchlist/check/${item.id}`).then((answer) => answer.json()))
    .toEqual({ isWatched: true })
  await page.reload()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  const removed = page.waitForRequest((request) => request.method() === 'DELETE')
  await heart.click()
  expect(new URL((await removed).url()).pathname).toBe(`/api/watchlist/${item.id}`)
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
})

test('HOME-23 a heart that fails is taken back, and logged only', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const lines = consoleOf(page)
  await shop.list({ title: 'Unhearted globe', price: 5 })
  await failing(page, '**/api/watchlist', { status: 500 }, 'POST')
  await page.goto('/?search=unhearted globe')
  const heart = page.getByRole('button', { name: 'Favorite Unhearted globe' })
  await heart.click()
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to change watchlist:'))).toBe(true)
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('HOME-14 signed out a heart asks nothing and leads to the sign-in page; on one’s own there is none', async ({
  shop,
}) => {
  const { visitor } = shop
  await shop.list({ title: 'Foreign globe', price: 5 })
  const calls = callsOf(visitor, '/api/watchlist')
  await visitor.goto('/?search=foreign globe')
  await visitor.getByRole('button', { name: 'Favorite Foreign globe' }).click()
  await expect(visitor).toHaveURL('/sign-in')
  expect(calls).toEqual([])

  const owner = await shop.signIn('Olga')
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const mine = await owner.calls.post<{ id: string }>('/api/listings', {
    title: 'Foreign globe of mine',
    price: 5,
    category_id: category?.id,
  })
  const checked = callsOf(owner.page, '/api/watchlist/check')
  await expect(async () => {
    await owner.page.goto('/?search=foreign globe')
    await expect(owner.page.getByRole('link', { name: 'Foreign globe of mine' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(owner.page.getByRole('button', { name: 'Favorite Foreign globe', exact: true })).toBeVisible()
  await expect(owner.page.getByRole('button', { name: 'Favorite Foreign globe of mine' })).toHaveCount(0)
  expect(checked.some(({ url }) => url.pathname.endsWith(mine.id))).toBe(false)
})

for (const { method, place } of [
  { method: 'POST', place: 'a card' },
  { method: 'DELETE', place: 'the listing' },
]) {
  test(`HOME-14 a heart on ${place} whose ${method} finds the session ended leads to the sign-in page`, async ({
    shop,
  }) => {
    const { page, calls } = await shop.signIn('Ada')
    const item = await shop.list({ title: `Lapsed globe ${method}`, price: 5 })
    const isWatched = method === 'DELETE'
    if (isWatched) await calls.post('/api/watchlist', { listing_id: item.id })
    const checked = page.waitForResponse(`**/api/watchlist/check/${item.id}`)
    await page.goto(place === 'a card' ? `/?search=${item.title}` : `/listing/${item.id}`)
    await checked
    const heart = page.getByRole('main').getByRole('button', { name: `Favorite ${item.title}` })
    await expect(heart).toHaveAttribute('aria-pressed', String(isWatched))
    await page.context().clearCookies()
    const refused = page.waitForResponse((answer) => answer.request().method() === method)
    await heart.click()
    expect((await refused).status()).toBe(401)
    await expect(page).toHaveURL('/sign-in')
  })
}

test('WATCH-03 a favorite taken off after the session ended leads to the sign-in page once', async ({ shop }) => {
  const { page, calls } = await shop.signIn('Ada')
  const item = await shop.list({ title: 'Lapsed favorite', price: 5 })
  await calls.post('/api/watchlist', { listing_id: item.id })
  await page.goto('/terms')
  await page.goto('/watchlist')
  const heart = page.getByRole('button', { name: 'Favorite Lapsed favorite' })
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await page.context().clearCookies()
  await heart.click()
  await expect(page).toHaveURL('/sign-in')
  await page.goBack()
  await expect(page).toHaveURL('/terms')
})

test('WATCH-01 WATCH-02 WATCH-04 favorites are counted, searched, and shown as grid or list', async ({ shop }) => {
  const { page, calls } = await shop.signIn('Ada')
  await page.goto('/watchlist')
  await expect(page.getByRole('heading', { level: 1, name: 'My Favorites' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your favorites list is empty' })).toBeVisible()
  const items = [
    await shop.list({ title: 'Brass Bell', price: 5, description: 'From a ship' }),
    await shop.list({ title: 'Ship model', price: 9, description: 'Of oak' }),
    await shop.list({ title: 'Copper pot', price: 7, description: 'Heavy' }),
  ]
  for (const { id } of items) await calls.post('/api/watchlist', { listing_id: id })
  await page.reload()
  await expect(page.getByText('3 items')).toBeVisible()
  const cards = page.getByRole('main').getByRole('article')
  const search = page.getByRole('searchbox', { name: 'Search your favorites' })
  await search.fill('SHIP')
  await expect(page.getByText('2 items')).toBeVisible()
  await expect(cards).toHaveCount(2)
  await expect(cards.filter({ hasText: 'Copper pot' })).toHaveCount(0)
  await search.fill('zeppelin')
  await expect(page.getByRole('heading', { name: 'No items found' })).toBeVisible()
  await expect(page.getByText('0 items')).toBeVisible()
  await search.fill('pot')
  await expect(page.getByText('1 item', { exact: true })).toBeVisible()
  await expect(page.getByText('Heavy')).toHaveCount(0)
  await page.getByRole('button', { name: 'List view' }).click()
  await expect(page.getByText('Heavy')).toBeVisible()
  await cards.getByRole('button', { name: 'Favorite Copper pot' }).click()
  await search.fill('')
  await expect(page.getByText('2 items')).toBeVisible()
})

test('WATCH-05 a watchlist that fails is logged only, and stays empty', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const lines = consoleOf(page)
  await failing(page, '**/api/watchlist', { status: 400 })
  await page.goto('/watchlist')
  await expect(page.getByRole('heading', { name: 'Your favorites list is empty' })).toBeVisible()
  expect(lines.some((line) => line.startsWith('Failed to load watchlist:'))).toBe(true)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('ROLE-02 signed out, /watchlist, /messages and /transactions lead to /sign-in', async ({ shop }) => {
  for (const path of ['/watchlist', '/messages', '/transactions']) {
    await shop.visitor.goto(path)
    await expect(shop.visitor).toHaveURL('/sign-in')
  }
})
