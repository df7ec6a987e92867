import { recordRedirects } from '../../support/browser/page-clock.ts'
import { callsOf, consoleErrorsOf, expect, failCalls, holdCalls, test } from '../../support/fixtures/page-fixture.ts'

const redirect = '**/api/oauth/google/redirect_url'
const me = '**/api/users/me'

test('AUTH-14 the sign-in page has one button and links to the terms, the privacy policy and home', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await visitor.goto('/sign-in')
  const main = visitor.getByRole('main')
  await expect(main.getByRole('button')).toHaveCount(1)
  await expect(main.getByRole('button', { name: 'Sign In with Email' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Terms and Conditions' })).toHaveAttribute('href', '/terms')
  await expect(main.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
  await expect(main.getByText('New to the product? Signing in will automatically create your account')).toBeVisible()
  await main.getByRole('link', { name: 'Back to home' }).click()
  await expect(visitor).toHaveURL('/')
})

test('AUTH-01 AUTH-16 AUTH-17 the button opens the provider, which returns to a welcome and the preferences', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  await visitor.goto('/sign-in')
  let provider = ''
  await visitor.route(redirect, async (route) => {
    const response = await route.fetch()
    provider = new URL((await response.json()).redirectUrl).origin
    await route.fulfill({ response })
  })
  await visitor.getByRole('button', { name: 'Sign In with Email' }).click()
  await visitor.waitForURL((url) => url.origin === provider)
  const release = await holdCalls(visitor, '**/api/sessions')
  const expectRedirect = await recordRedirects(visitor)
  await visitor.getByLabel('Use another email').fill('newcomer@example.com')
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.getByRole('heading', { name: 'Signing you in...' })).toBeVisible()
  release()
  await expect(visitor.getByRole('heading', { name: /^Welcome/ })).toBeVisible()
  await expectRedirect('/notification-preferences', 2_000)
})

test('AUTH-02 a failed request for the redirect URL is logged, and the page stays', async ({ marketplace }) => {
  const { visitor } = marketplace
  const lines = consoleErrorsOf(visitor)
  await failCalls(visitor, redirect, { status: 503 })
  await visitor.goto('/sign-in')
  await visitor.getByRole('button', { name: 'Sign In with Email' }).click()
  await expect.poll(() => lines).toContain('Failed to get login redirect URL: API responded with HTTP status 503')
  await expect(visitor).toHaveURL('/sign-in')
})

test('AUTH-04 a code is exchanged once, and the user is fetched again afterwards', async ({ marketplace }) => {
  const { visitor } = marketplace
  const exchanges = callsOf(visitor, '/api/sessions')
  const users = callsOf(visitor, '/api/users/me')
  await visitor.goto('/sign-in')
  await visitor.getByRole('button', { name: 'Sign In with Email' }).click()
  await visitor.getByLabel('Use another email').fill('once@example.com')
  users.length = 0
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.getByRole('heading', { name: /^Welcome/ })).toBeVisible()
  expect(exchanges.map(({ method }) => method)).toEqual(['POST'])
  // Once when the page loads, once after the exchange.
  expect(users).toHaveLength(2)
})

test('AUTH-06 AUTH-18 a rejected code shows an error, is logged, and opens the sign-in page after 3 s', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const lines = consoleErrorsOf(visitor)
  const expectRedirect = await recordRedirects(visitor)
  await visitor.goto('/auth/callback?code=stale')
  await expect(visitor.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
  expect(lines).toContain('Failed to exchange code for session token: API responded with HTTP status 401')
  await expectRedirect('/sign-in', 3_000)
})

test('AUTH-21 the callback page shows the error when the code is missing', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.goto('/auth/callback')
  await expect(visitor.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
})

test('AUTH-15 the sign-in page redirects a signed-in user to the home page', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/sign-in')
  await expect(page).toHaveURL('/')
})

test('AUTH-08 the page shows neither state until the session is known', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const release = await holdCalls(page, me)
  await page.goto('/my-listings')
  await expect(page.getByLabel('Checking your session')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeHidden()
  release()
  await expect(page.getByRole('heading', { name: 'My Listings' })).toBeVisible()

  const { visitor } = marketplace
  const fail = await holdCalls(visitor, me)
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Sign In' })).toBeHidden()
  fail()
  await expect(visitor.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('AUTH-09 a failed request for the user is logged and counts as signed out', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const lines = consoleErrorsOf(page)
  await failCalls(page, me, { status: 500 })
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(lines).toContain('Failed to fetch user: API responded with HTTP status 500')
})

test('AUTH-11 logout signs out on screen before the server responds', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/')
  const release = await holdCalls(page, '**/api/logout')
  const request = page.waitForRequest('**/api/logout')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect((await request).method()).toBe('GET')
  release()
})

test('AUTH-20 a failed logout is logged, and the page stays signed out', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const lines = consoleErrorsOf(page)
  await page.goto('/')
  await failCalls(page, '**/api/logout', { status: 500 })
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to logout:'))).toBe(true)
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('AUTH-19 LIST-03 the message button opens the callback page when signed out', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Oak stool', price: 12 })
  await visitor.goto(`/listing/${item.id}`)
  await visitor.getByRole('button', { name: 'Message Seller' }).click()
  await expect(visitor).toHaveURL('/auth/callback')
})

test('AUTH-19 buying opens the callback page when the session has expired since the page loaded', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const item = await marketplace.list({ title: 'Ash stool', price: 12 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  // Background requests are held: the purchase must be the first call to find the session expired.
  await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? undefined : route.fallback()))
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page).toHaveURL('/auth/callback')
})
