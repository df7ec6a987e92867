import type { Page } from '@playwright/test'
import { expect, openHydrated, test } from '../../support/fixtures/page-fixture.ts'

/** Signs in from the sign-in page, and waits for the preferences page. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign In with Email' }).click()
  await page.getByLabel('Use another email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/notification-preferences')
}

test('AUTH-27 the sign-in leads back to the listing on which it was prompted', async ({ marketplace }, info) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Returned lamp', price: 20 })
  await openHydrated(visitor, `/listing/${item.id}`)
  await visitor.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await signIn(visitor, `ada-${info.testId}@example.com`)
  const main = visitor.getByRole('main')
  await expect(main.getByRole('link').or(main.getByRole('button')).first()).toHaveText('Continue to Returned lamp')
  await main.getByRole('link', { name: 'Continue to Returned lamp' }).click()
  await expect(visitor).toHaveURL(`/listing/${item.id}`)
  await visitor.goto('/notification-preferences')
  await expect(visitor.getByRole('button', { name: 'Save Preferences' })).toBeEnabled()
  await expect(visitor.getByRole('link', { name: /^Continue to/ })).toHaveCount(0)
})

test('AUTH-27 the home page leads back once after the preferences were skipped', async ({ marketplace }, info) => {
  const { visitor } = marketplace
  await visitor.goto('/watchlist?view=list')
  await expect(visitor).toHaveURL('/sign-in')
  await signIn(visitor, `ada-${info.testId}@example.com`)
  await expect(visitor.getByRole('link', { name: 'Continue to My Favorites' })).toBeVisible()
  await visitor.getByRole('link', { name: 'Skip for now' }).click()
  const back = visitor.getByRole('link', { name: 'Back to My Favorites' })
  await expect(back).toHaveAttribute('href', '/watchlist?view=list')
  await visitor.reload()
  await expect(visitor.getByRole('button', { name: 'Log out' })).toBeVisible()
  await expect(back).toHaveCount(0)
})

const prompts: [string, string, (page: Page) => Promise<void>][] = [
  [
    'the header',
    'Terms and Conditions',
    (page) => page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click(),
  ],
  ['the bell', 'Terms and Conditions', (page) => page.getByRole('button', { name: 'Notifications' }).click()],
]

for (const [name, title, press] of prompts) {
  test(`AUTH-27 a sign-in from ${name} leads back to the page`, async ({ marketplace }) => {
    const { visitor } = marketplace
    await visitor.route('**/api/oauth/google/redirect_url', (route) => route.abort())
    await openHydrated(visitor, '/terms')
    await press(visitor)
    const stored = () => visitor.evaluate(() => JSON.parse(sessionStorage.getItem('return-page') ?? '{}'))
    await expect.poll(stored).toEqual({ path: '/terms', title })
  })
}

test('AUTH-27 a heart on a search leads back to the search', async ({ marketplace }) => {
  const { visitor } = marketplace
  await marketplace.list({ title: 'Hearted quillwort', price: 20 })
  await openHydrated(visitor, '/?search=quillwort')
  await visitor.getByRole('button', { name: 'Favorite Hearted quillwort' }).click()
  await expect(visitor).toHaveURL('/sign-in')
  const stored = await visitor.evaluate(() => JSON.parse(sessionStorage.getItem('return-page') ?? '{}'))
  expect(stored).toEqual({ path: '/?search=quillwort', title: 'quillwort for Sale' })
})

const storedPage = (page: Page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('return-page') ?? 'null'))

test('AUTH-27 Message Seller leads back to the listing', async ({ marketplace }) => {
  const { visitor } = marketplace
  const item = await marketplace.list({ title: 'Asked-about lamp', price: 20 })
  await openHydrated(visitor, `/listing/${item.id}`)
  await visitor.getByRole('button', { name: 'Message Seller' }).click()
  await expect(visitor).toHaveURL('/auth/callback')
  expect(await storedPage(visitor)).toEqual({ path: `/listing/${item.id}`, title: 'Asked-about lamp' })
})

const forms: [string, (page: Page) => Promise<void>][] = [
  [
    'a message',
    async (page) => {
      await page.getByRole('button', { name: 'Message Seller' }).click()
      await page.getByLabel('Your message').fill('Is it still there?')
      await page.getByRole('button', { name: 'Send Message' }).click()
    },
  ],
  [
    'an offer',
    async (page) => {
      await page.getByRole('button', { name: 'Make Offer' }).click()
      await page.getByLabel('Your offer').fill('15')
      await page.getByRole('button', { name: /^Send Offer/ }).click()
    },
  ],
  [
    'a purchase',
    async (page) => {
      await page.getByRole('button', { name: 'Buy Now' }).click()
      await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
    },
  ],
]

for (const [name, send] of forms) {
  test(`AUTH-27 the sign-in leads back to the listing when the session expires during ${name}`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Ada')
    const item = await marketplace.list({ title: `Expired ${name}`, price: 20, accept_offers: true })
    await page.goto(`/listing/${item.id}`)
    await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
    // Background requests are held: the form must be the first to find the session expired.
    await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? undefined : route.fallback()))
    await page.context().clearCookies()
    await send(page)
    await expect(page).toHaveURL('/auth/callback')
    expect(await storedPage(page)).toEqual({ path: `/listing/${item.id}`, title: `Expired ${name}` })
  })
}

test('AUTH-27 signing out stores no page, on pages that require a session too', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/watchlist')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/sign-in')
  expect(await storedPage(page)).toBeNull()
})

test('AUTH-27 a stored address of another site is ignored', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
    await page.goto('/terms')
    await page.evaluate(
      (stored) => sessionStorage.setItem('return-page', JSON.stringify({ path: stored, title: 'x' })),
      path,
    )
    await page.goto('/notification-preferences')
    await expect(page.getByRole('button', { name: 'Save Preferences' })).toBeEnabled()
    await expect(page.getByRole('link', { name: /^Continue to/ })).toHaveCount(0)
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Back to/ })).toHaveCount(0)
  }
})
