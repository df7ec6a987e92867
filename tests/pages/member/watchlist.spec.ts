import { boxOf } from '../../support/browser/box-of.ts'
import {
  callsOf,
  consoleErrorsOf,
  expect,
  failCalls,
  holdCalls,
  test,
  uniqueWord,
} from '../../support/fixtures/page-fixture.ts'
import { buyNow } from '../../support/processes/people.ts'

test('HOME-14 HOME-23 a card’s watch toggle loads its state, and adds and removes before the response', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const item = await marketplace.list({ title: 'Hearted globe', price: 5 })
  const calls = callsOf(page, '/api/watchlist')
  await page.goto('/?search=hearted globe')
  const toggle = page.getByRole('button', { name: 'Favorite Hearted globe' })
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await expect
    .poll(() => calls.map(({ method, url }) => `${method} ${url.pathname}`))
    .toEqual([`GET /api/watchlist/check/${item.id}`])
  const release = await holdCalls(page, '**/api/watchlist')
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  release()
  await expect.poll(() => calls.at(1)).toMatchObject({ method: 'POST', body: { listing_id: item.id } })
  await expect
    .poll(() => page.request.get(`/api/watchlist/check/${item.id}`).then((response) => response.json()))
    .toEqual({ isWatched: true })
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  const removed = page.waitForRequest((request) => request.method() === 'DELETE')
  await toggle.click()
  expect(new URL((await removed).url()).pathname).toBe(`/api/watchlist/${item.id}`)
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
})

test('HOME-14 each card checks its state when it loads, also out of view', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const items = []
  for (let count = 1; count <= 12; count++)
    items.push(await marketplace.list({ title: `Far globe ${count}`, price: 5 }))
  const calls = callsOf(page, '/api/watchlist/check')
  await page.setViewportSize({ width: 390, height: 600 })
  await page.goto('/?search=far globe')
  const checked = () => new Set(calls.map(({ url }) => url.pathname.split('/').at(-1)))
  await expect.poll(checked).toEqual(new Set(items.map(({ id }) => id)))
  expect(calls).toHaveLength(items.length)
})

test('HOME-23 a toggle that fails is taken back, and logged only', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const lines = consoleErrorsOf(page)
  await marketplace.list({ title: 'Unhearted globe', price: 5 })
  await failCalls(page, '**/api/watchlist', { status: 500 }, 'POST')
  await page.goto('/?search=unhearted globe')
  const toggle = page.getByRole('button', { name: 'Favorite Unhearted globe' })
  await toggle.click()
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to change watchlist:'))).toBe(true)
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('HOME-14 the watch toggle opens the sign-in page when signed out, and is absent on own listings', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Foreign globe', price: 5 })
  const calls = callsOf(visitor, '/api/watchlist')
  await visitor.goto('/?search=foreign globe')
  await visitor.getByRole('button', { name: 'Favorite Foreign globe' }).click()
  await expect(visitor).toHaveURL('/sign-in')
  expect(calls).toEqual([])

  const owner = await marketplace.signIn('Olga')
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

for (const width of [390, 1280])
  test(`HOME-14 watch toggles appear in the list view of ${width} pixels without moving the text`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Ada')
    const title = `Still ${uniqueWord('globe')}`
    await marketplace.list({ title, price: 5, description: 'On its original stand' })
    await page.setViewportSize({ width, height: 844 })
    const release = await holdCalls(page, '**/api/users/me')
    await page.goto(`/?search=${title}&view=list`)
    const card = page.getByRole('main').getByRole('article')
    const toggle = card.getByRole('button', { name: `Favorite ${title}` })
    const texts = [card.getByText('$5.00'), card.getByRole('heading'), card.getByText('On its original stand')]
    const measure = () => Promise.all([card, ...texts].map((part) => part.boundingBox()))
    await expect(card).toHaveCount(1)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await expect(toggle).toHaveCount(0)
    const before = await measure()
    release()
    await expect(toggle).toBeVisible()
    expect(await measure()).toEqual(before)
    const [heading, control] = [before[2], await toggle.boundingBox()]
    const isBelow = (heading?.y ?? NaN) >= (control?.y ?? NaN) + (control?.height ?? NaN)
    const isBeside = (heading?.x ?? NaN) + (heading?.width ?? NaN) <= (control?.x ?? NaN)
    expect(isBelow || isBeside).toBe(true)
  })

for (const { method, place } of [
  { method: 'POST', place: 'a card' },
  { method: 'DELETE', place: 'the listing' },
]) {
  test(`HOME-14 a watch toggle on ${place} opens the sign-in page when its ${method} finds the session expired`, async ({
    marketplace,
  }) => {
    const { page, calls } = await marketplace.signIn('Ada')
    const item = await marketplace.list({ title: `Lapsed globe ${method}`, price: 5 })
    const isWatched = method === 'DELETE'
    if (isWatched) await calls.post('/api/watchlist', { listing_id: item.id })
    const checked = page.waitForResponse(`**/api/watchlist/check/${item.id}`)
    await page.goto(place === 'a card' ? `/?search=${item.title}` : `/listing/${item.id}`)
    await checked
    const toggle = page.getByRole('main').getByRole('button', { name: `Favorite ${item.title}` })
    await expect(toggle).toHaveAttribute('aria-pressed', String(isWatched))
    await page.context().clearCookies()
    const rejected = page.waitForResponse((response) => response.request().method() === method)
    await toggle.click()
    expect((await rejected).status()).toBe(401)
    await expect(page).toHaveURL('/sign-in')
  })
}

test('WATCH-03 removing a favorite with an expired session opens the sign-in page once', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  const item = await marketplace.list({ title: 'Lapsed favorite', price: 5 })
  await calls.post('/api/watchlist', { listing_id: item.id })
  await page.goto('/terms')
  await page.goto('/watchlist')
  const toggle = page.getByRole('button', { name: 'Favorite Lapsed favorite' })
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await page.context().clearCookies()
  await toggle.click()
  await expect(page).toHaveURL('/sign-in')
  await page.goBack()
  await expect(page).toHaveURL('/terms')
})

test('WATCH-01 WATCH-02 WATCH-04 favorites are counted, searched, and shown as grid or list', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Ada')
  await page.goto('/watchlist')
  await expect(page.getByRole('heading', { level: 1, name: 'My Favorites' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your favorites list is empty' })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search your favorites' })).toBeVisible()
  await expect(page.getByText('0 items', { exact: true })).toBeVisible()
  const items = [
    await marketplace.list({ title: 'Brass Bell', price: 5, description: 'From a ship' }),
    await marketplace.list({ title: 'Ship model', price: 9, description: 'Of oak' }),
    await marketplace.list({ title: 'Copper pot', price: 7, description: 'Heavy' }),
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
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByText('3 items')).toBeVisible()
  await expect(search).toBeFocused()
  await search.fill('pot')
  await expect(page.getByText('1 item', { exact: true })).toBeVisible()
  await expect(page.getByText('Heavy')).toHaveCount(0)
  await page.getByRole('button', { name: 'List view' }).click()
  await expect(page.getByText('Heavy')).toBeVisible()
  await cards.getByRole('button', { name: 'Favorite Copper pot' }).click()
  await search.fill('')
  await expect(page.getByText('2 items')).toBeVisible()
})

test('WATCH-02 a search in an empty list of favorites says that the list is empty', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  const empty = page.getByRole('heading', { name: 'Your favorites list is empty' })
  const noMatch = page.getByRole('heading', { name: 'No items found' })
  const search = page.getByRole('searchbox', { name: 'Search your favorites' })
  await page.goto('/watchlist')
  await expect(empty).toBeVisible()
  const searched = page.waitForResponse(/\/api\/watchlist\?.*search=zeppelin/)
  await search.fill('zeppelin')
  await searched
  await expect(empty).toBeVisible()
  await expect(noMatch).toHaveCount(0)
  const item = await marketplace.list({ title: 'Last favorite', price: 5 })
  await calls.post('/api/watchlist', { listing_id: item.id })
  await page.reload()
  await expect(page.getByText('1 item', { exact: true })).toBeVisible()
  await search.fill('zeppelin')
  await expect(noMatch).toBeVisible()
  await search.fill('last')
  const toggle = page.getByRole('button', { name: 'Favorite Last favorite' })
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await toggle.click()
  await expect(empty).toBeVisible()
  await expect(noMatch).toHaveCount(0)
})

test('WATCH-05 a watchlist that fails to load is only logged, and stays empty', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const lines = consoleErrorsOf(page)
  await failCalls(page, '**/api/watchlist?*', { status: 400 })
  await page.goto('/watchlist')
  await expect(page.getByRole('heading', { name: 'Your favorites list is empty' })).toBeVisible()
  expect(lines.some((line) => line.startsWith('Failed to load watchlist:'))).toBe(true)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('ROLE-02 /watchlist, /messages and /transactions redirect to /sign-in when signed out', async ({
  marketplace,
}) => {
  for (const path of ['/watchlist', '/messages', '/transactions']) {
    await marketplace.visitor.goto(path)
    await expect(marketplace.visitor).toHaveURL('/sign-in')
  }
})

for (const width of [390, 1280])
  test(`HOME-11 the discount of a favorite is beside its status on a screen of ${width} pixels`, async ({
    marketplace,
  }) => {
    const { page, calls } = await marketplace.signIn('Ada')
    const rival = await marketplace.signIn('Ria')
    const sale = { price: 67, is_on_sale: true, original_price: 100 }
    const held = await marketplace.list({ title: `Held globe ${width}`, ...sale })
    const ended = await marketplace.list({ title: `Ended globe ${width}`, ...sale })
    for (const { id } of [held, ended]) await calls.post('/api/watchlist', { listing_id: id })
    await buyNow(rival.calls, held.id)
    await marketplace.seller.post(`/api/listings/${ended.id}/end`)
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/watchlist')
    for (const view of ['Grid view', 'List view']) {
      const toggle = page.getByRole('button', { name: view })
      await toggle.click()
      await expect(toggle).toHaveAttribute('aria-pressed', 'true')
      for (const [title, status] of [
        [held.title, 'Reserved'],
        [ended.title, 'Unavailable'],
      ] as const) {
        const card = page.getByRole('main').getByRole('article').filter({ hasText: title })
        const [first, second] = [
          await boxOf(card.getByText(status, { exact: true })),
          await boxOf(card.getByText('-33%', { exact: true })),
        ]
        const isBeside = first.x + first.width <= second.x
        const isAbove = first.y + first.height <= second.y
        expect(isBeside || isAbove, `${title} in the ${view}`).toBe(true)
      }
    }
  })
