import { notePageTimes } from '../src/page-clock.ts'
import { callsOf, consoleOf, expect, failing, holding, test } from '../src/shop.ts'

const redirect = '**/api/oauth/google/redirect_url'
const me = '**/api/users/me'

test('AUTH-14 the sign-in page has one button, the terms, the privacy text and a way home', async ({ shop }) => {
  const { visitor } = shop
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

test('AUTH-01 AUTH-16 AUTH-17 the button leads to the provider, and back to a welcome and the preferences', async ({
  shop,
}) => {
  const { visitor } = shop
  await visitor.goto('/sign-in')
  let provider = ''
  await visitor.route(redirect, async (route) => {
    const response = await route.fetch()
    provider = new URL((await response.json()).redirectUrl).origin
    await route.fulfill({ response })
  })
  await visitor.getByRole('button', { name: 'Sign In with Email' }).click()
  await visitor.waitForURL((url) => url.origin === provider)
  const goOn = await holding(visitor, '**/api/sessions')
  const msUntil = await notePageTimes(visitor, 'Welcome')
  await visitor.getByLabel('Use another email').fill('newcomer@example.com')
  await visitor.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.getByRole('heading', { name: 'Signing you in...' })).toBeVisible()
  goOn()
  await expect(visitor.getByRole('heading', { name: /^Welcome/ })).toBeVisible()
  await visitor.waitForURL('**/notification-preferences')
  expect(await msUntil('/notification-preferences')).toBeGreaterThan(1_900)
})

test('AUTH-02 a refused redirect address is logged, and nobody is led away', async ({ shop }) => {
  const { visitor } = shop
  const lines = consoleOf(visitor)
  await failing(visitor, redirect, { status: 503 })
  await visitor.goto('/sign-in')
  await visitor.getByRole('button', { name: 'Sign In with Email' }).click()
  await expect.poll(() => lines).toContain('Failed to get login redirect URL: API responded with HTTP status 503')
  await expect(visitor).toHaveURL('/sign-in')
})

test('AUTH-04 a code is exchanged once, and the user is fetched again afterwards', async ({ shop }) => {
  const { visitor } = shop
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

test('AUTH-06 AUTH-18 a refused code says so, is logged, and leads to the sign-in page after 3 s', async ({ shop }) => {
  const { visitor } = shop
  const lines = consoleOf(visitor)
  const msUntil = await notePageTimes(visitor, 'Authentication Failed')
  await visitor.goto('/auth/callback?code=stale')
  await expect(visitor.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
  expect(lines).toContain('Failed to exchange code for session token: API responded with HTTP status 401')
  await visitor.waitForURL('**/sign-in')
  expect(await msUntil('/sign-in')).toBeGreaterThan(2_900)
})

test('AUTH-21 the callback page without a code is the failure', async ({ shop }) => {
  const { visitor } = shop
  await visitor.goto('/auth/callback')
  await expect(visitor.getByRole('heading', { name: 'Authentication Failed' })).toBeVisible()
})

test('AUTH-15 the sign-in page leads who is signed in to the home page', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  await page.goto('/sign-in')
  await expect(page).toHaveURL('/')
})

test('AUTH-08 nothing is decided before the user is fetched, whichever way that ends', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const goOn = await holding(page, me)
  await page.goto('/my-listings')
  await expect(page.getByLabel('Checking your session')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeHidden()
  goOn()
  await expect(page.getByRole('heading', { name: 'My Listings' })).toBeVisible()

  const { visitor } = shop
  const fail = await holding(visitor, me)
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Sign In' })).toBeHidden()
  fail()
  await expect(visitor.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('AUTH-09 a failed fetch of the user leaves one signed out, and is logged', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const lines = consoleOf(page)
  await failing(page, me, { status: 500 })
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect(lines).toContain('Failed to fetch user: API responded with HTTP status 500')
})

test('AUTH-11 logout signs out on screen before the server answers', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  await page.goto('/')
  const goOn = await holding(page, '**/api/logout')
  const asked = page.waitForRequest('**/api/logout')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  expect((await asked).method()).toBe('GET')
  goOn()
})

test('AUTH-20 a failing logout is logged, and one stays signed out', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const lines = consoleOf(page)
  await page.goto('/')
  await failing(page, '**/api/logout', { status: 500 })
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to logout:'))).toBe(true)
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('AUTH-19 LIST-03 signed out, the message button leads to the callback page', async ({ shop }) => {
  const { visitor } = shop
  const item = await shop.list({ title: 'Oak stool', price: 12 })
  await visitor.goto(`/listing/${item.id}`)
  await visitor.getByRole('button', { name: 'Message Seller' }).click()
  await expect(visitor).toHaveURL('/auth/callback')
})

test('AUTH-19 whose session is gone since the page loaded is led to the callback page by buying', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const item = await shop.list({ title: 'Ash stool', price: 12 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  // What the page asks by itself waits: the purchase is to be the first that finds the session gone.
  await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? undefined : route.fallback()))
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page).toHaveURL('/auth/callback')
})
