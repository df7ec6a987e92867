import { expect, holdCalls, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

const memberLinks = [
  ['Messages', '/messages'],
  ['My Listings', '/my-listings'],
  ['My Bids', '/my-bids'],
  ['Offers', '/offers'],
  ['Favorites', '/watchlist'],
  ['Transactions', '/transactions'],
  ['Sell', '/create-listing'],
] as const

test('SHELL-01 the header’s logo opens the home page, and its search box a search', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openHydrated(visitor, '/terms')
  const header = visitor.getByRole('banner')
  const box = header.getByRole('combobox', { name: 'Search the marketplace' })
  await box.fill(' old & new ')
  await box.press('Enter')
  await expect(visitor).toHaveURL('/?search=old+%26+new')
  await header.getByRole('link', { name: 'Marketplace home' }).click()
  await expect(visitor).toHaveURL('/')
})

test('SHELL-02 the header shows a Sign In link to visitors, and pages, avatar and logout to members', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await visitor.goto('/')
  const nav = visitor.getByRole('banner').getByRole('navigation', { name: 'Account' })
  await expect(nav.getByRole('link')).toHaveText(['Sign In'])
  await nav.getByRole('link').click()
  await expect(visitor).toHaveURL('/sign-in')

  const { page, name } = await marketplace.signIn('Ada')
  await page.goto('/terms')
  const account = page.getByRole('banner').getByRole('navigation', { name: 'Account' })
  await expect(account.getByRole('img', { name }).or(account.getByTitle(name)).first()).toBeVisible()
  await expect(account.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
  for (const [text, path] of memberLinks) {
    await account.getByRole('link', { name: text }).click()
    await expect(page).toHaveURL(path)
  }
  await account.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('SHELL-02 the header’s links are in a menu on a phone', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.setViewportSize({ width: 390, height: 844 })
  await visitor.goto('/')
  await visitor.getByRole('button', { name: 'Menu' }).click()
  await visitor.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Sign In' }).click()
  await expect(visitor).toHaveURL('/sign-in')

  const { page } = await marketplace.signIn('Ada')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  for (const [text, path] of memberLinks) {
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: text }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/sign-in')
})

test('SHELL-03 the footer links to every page and to support', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/terms')
  const footer = page.getByRole('contentinfo')
  for (const [text, path] of [
    ['Marketplace', '/'],
    ['Sell Item', '/create-listing'],
    ['My Listings', '/my-listings'],
    ['Watchlist', '/watchlist'],
    ['Messages', '/messages'],
    ['Transactions', '/transactions'],
    ['Notifications', '/notification-preferences'],
    ['Sessions', '/sessions'],
    ['Blocked members', '/blocked-members'],
    ['Privacy Policy', '/privacy'],
    ['Terms and Conditions', '/terms'],
  ] as const) {
    await footer.getByRole('link', { name: text, exact: true }).click()
    await expect(page).toHaveURL(path)
  }
  await expect(footer.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
    'href',
    'mailto:support@example.com',
  )
})

for (const width of [390, 800, 1280]) {
  test(`SHELL-03 at ${width} px the footer links to Sessions and Blocked members for members only, and does not shift`, async ({
    marketplace,
  }) => {
    const { visitor } = marketplace
    await visitor.setViewportSize({ width, height: 844 })
    const session = visitor.waitForResponse('**/api/users/me')
    await openHydrated(visitor, '/terms')
    await session
    await expect(visitor.getByRole('contentinfo').getByRole('link', { name: /Sessions|Blocked members/ })).toHaveCount(
      0,
    )

    const { page } = await marketplace.signIn('Ada')
    await page.setViewportSize({ width, height: 844 })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/users/me', async (route) => {
      await promise
      await route.fallback()
    })
    await openHydrated(page, '/terms')
    const footer = page.getByRole('contentinfo')
    const places = () =>
      footer.locator('p, h2, a').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON()))
    const before = await places()
    await expect(footer.getByRole('link', { name: 'Sessions' })).toHaveCount(0)
    resolve()
    await expect(footer.getByRole('link', { name: 'Blocked members' })).toBeVisible()
    expect((await places()).slice(0, before.length)).toEqual(before)
  })
}

test('SHELL-04 SHELL-08 terms and privacy state their date, the rule for children and the support response time', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  for (const path of ['/terms', '/privacy']) {
    await visitor.goto(path)
    await expect(visitor.getByRole('main').getByText('November 3, 2025')).toBeVisible()
  }
  await expect(visitor.getByRole('main').getByText(/children under 13/i)).toBeVisible()
  await expect(visitor.getByRole('main').getByText(/within 24 hours/)).toBeVisible()
})

test('SHELL-05 SHELL-06 every route renders its page with header, footer and chat when opened or reloaded', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const item = await marketplace.list({ title: 'Routed lamp', price: 5 })
  for (const [path, heading] of [
    ['/', /./],
    ['/?search=lamp', 'Search results for lamp'],
    [`/listing/${item.id}`, 'Routed lamp'],
    ['/create-listing', 'Sell an item'],
    ['/my-listings', 'My Listings'],
    ['/messages', 'Messages'],
    ['/transactions', 'Transactions'],
    ['/offers', 'Offers'],
    ['/watchlist', 'My Favorites'],
    ['/notification-preferences', 'Notification Preferences'],
    ['/sessions', 'Sessions'],
    ['/blocked-members', 'Blocked members'],
    ['/terms', /Terms/],
    ['/privacy', /Privacy/],
    ['/nowhere', 'Page not found'],
  ] as const) {
    await page.goto(path)
    for (const way of ['opened', 'reloaded']) {
      if (way === 'reloaded') await page.reload()
      await expect(page.getByRole('main').getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page.getByRole('banner')).toBeVisible()
      await expect(page.getByRole('contentinfo')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Help chat' })).toBeVisible()
    }
  }
  for (const [path, heading] of [
    ['/sign-in', 'Welcome to Marketplace'],
    ['/auth/callback', 'Authentication Failed'],
  ] as const) {
    await marketplace.visitor.goto(path)
    await expect(marketplace.visitor.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(marketplace.visitor.getByRole('button', { name: 'Help chat' })).toBeVisible()
  }
})

test('SHELL-07 the bell shows No new notifications, and starts the login when signed out', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/')
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect(page.getByText('No new notifications')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No new notifications')).toBeHidden()

  const { visitor } = marketplace
  await visitor.goto('/')
  await expect(visitor.getByRole('link', { name: 'Sign In' })).toBeVisible()
  const request = visitor.waitForRequest('**/api/oauth/google/redirect_url')
  await visitor.getByRole('button', { name: 'Notifications' }).click()
  await request
  await expect(visitor.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
})

test('SHELL-07 a click on the bell takes effect once the session is known', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const { visitor } = marketplace
  for (const each of [page, visitor]) {
    const release = await holdCalls(each, '**/api/users/me')
    await openHydrated(each, '/')
    await each.getByRole('button', { name: 'Notifications' }).click()
    await expect(each.getByText('No new notifications')).toBeHidden()
    release()
  }
  await expect(page.getByText('No new notifications')).toBeVisible()
  await expect(visitor.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
})

test('a notice is shown while the browser is offline', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openHydrated(visitor, '/')
  await visitor.context().setOffline(true)
  await expect(visitor.getByText("You're offline.")).toBeVisible()
  await visitor.context().setOffline(false)
  await expect(visitor.getByText("You're offline.")).toHaveCount(0)
})

test('the new page’s heading has the focus after a navigation', async ({ marketplace }) => {
  const { visitor } = marketplace
  await openHydrated(visitor, '/')
  await visitor.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).press('Enter')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeFocused()
})
