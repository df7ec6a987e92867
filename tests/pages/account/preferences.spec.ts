import { contrast } from '../../support/browser/contrast.ts'
import { recordRedirects } from '../../support/browser/page-clock.ts'
import { consoleErrorsOf, expect, failCalls, holdCalls, test } from '../../support/fixtures/page-fixture.ts'

const preferences = '**/api/users/notification-preferences'

test('PREF-01 the page redirects to /sign-in after a second when signed out', async ({ marketplace }) => {
  const { visitor } = marketplace
  const expectRedirect = await recordRedirects(visitor)
  await visitor.goto('/notification-preferences')
  await expect(visitor.getByText('Sign in to choose what we notify you about.')).toBeVisible()
  await expectRedirect('/sign-in', 1_000)
})

test('PREF-02 PREF-04 both toggles are off by default, and saving opens the home page after 2 s', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const expectRedirect = await recordRedirects(page)
  await page.goto('/notification-preferences')
  const deals = page.getByRole('switch', { name: 'Deals & Great Products' })
  const offers = page.getByRole('switch', { name: 'Seller Offers' })
  await expect(deals).not.toBeChecked()
  await expect(offers).not.toBeChecked()
  await deals.check()
  const saved = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Save Preferences' }).click()
  expect((await saved).postDataJSON()).toEqual({ deals: true, offers: false })
  await expect(page.getByRole('status').filter({ hasText: 'Preferences Saved!' })).toBeVisible()
  await expectRedirect('/', 2_000)
  await page.goto('/notification-preferences')
  await expect(deals).toBeChecked()
  await expect(offers).not.toBeChecked()
})

test('PREF-03 Skip for now opens the home page and saves nothing', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  await page.goto('/notification-preferences')
  await page.getByRole('switch', { name: 'Seller Offers' }).check()
  await page
    .getByRole('link', { name: 'Skip for now' })
    .or(page.getByRole('button', { name: 'Skip for now' }))
    .click()
  await expect(page).toHaveURL('/')
  expect(await calls.get('/api/users/notification-preferences')).toEqual({ deals: false, offers: false })
})

for (const failure of [{ status: 500, error: 'Down.' }, 'network'] as const) {
  test(`PREF-05 a failure is shown, and the selection stays: ${JSON.stringify(failure)}`, async ({ marketplace }) => {
    const { page } = await marketplace.signIn('Ada')
    await page.goto('/notification-preferences')
    await page.getByRole('switch', { name: 'Seller Offers' }).check()
    await failCalls(page, preferences, failure, 'POST')
    await page.getByRole('button', { name: 'Save Preferences' }).click()
    await expect(page.getByRole('alert')).toHaveText('Failed to save preferences. Please try again.')
    await expect(page.getByRole('switch', { name: 'Seller Offers' })).toBeChecked()
  })
}

test('PREF-02 PREF-03 settings that could not be read are off and can be saved', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  await calls.post('/api/users/notification-preferences', { deals: true, offers: true })
  const lines = consoleErrorsOf(page)
  await failCalls(page, preferences, { status: 500 }, 'GET')
  await page.goto('/notification-preferences')
  const deals = page.getByRole('switch', { name: 'Deals & Great Products' })
  const offers = page.getByRole('switch', { name: 'Seller Offers' })
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to load preferences:'))).toBe(true)
  await expect(page.getByText("We couldn't load your settings.", { exact: false })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(deals).not.toBeChecked()
  await expect(offers).not.toBeChecked()
  await offers.check()
  await page.getByRole('button', { name: 'Save Preferences' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Preferences Saved!' })).toBeVisible()
  expect(await calls.get('/api/users/notification-preferences')).toEqual({ deals: false, offers: true })
})

test('PREF-02 settings that are read late show what is stored, under what was changed meanwhile', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Ada')
  await calls.post('/api/users/notification-preferences', { deals: true, offers: true })
  await failCalls(page, preferences, { status: 500 }, 'GET')
  await page.goto('/notification-preferences')
  const deals = page.getByRole('switch', { name: 'Deals & Great Products' })
  const offers = page.getByRole('switch', { name: 'Seller Offers' })
  await expect(page.getByText("We couldn't load your settings.", { exact: false })).toBeVisible()
  await page.unroute(preferences)
  await expect(deals).toBeChecked()
  await expect(offers).toBeChecked()
  await expect(page.getByText("We couldn't load your settings.", { exact: false })).toHaveCount(0)
  await deals.uncheck()
  await page.getByRole('button', { name: 'Save Preferences' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Preferences Saved!' })).toBeVisible()
  expect(await calls.get('/api/users/notification-preferences')).toEqual({ deals: false, offers: true })
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`PAGE-22 the disabled button Save Preferences is readable in the ${colorScheme} theme`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Ada')
    await page.emulateMedia({ colorScheme })
    const release = await holdCalls(page, preferences)
    await page.goto('/notification-preferences')
    const button = page.getByRole('button', { name: 'Save Preferences' })
    await expect(button).toBeDisabled()
    const colors = () =>
      button.evaluate((element) => {
        const { color, backgroundColor, opacity } = getComputedStyle(element)
        return { color, backgroundColor, opacity }
      })
    const untouched = await colors()
    expect(untouched.opacity).toBe('1')
    expect(contrast(untouched.color, untouched.backgroundColor)).toBeGreaterThanOrEqual(4.5)
    await button.hover({ force: true })
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)))
    expect(await colors()).toEqual(untouched)
    release()
  })
}
