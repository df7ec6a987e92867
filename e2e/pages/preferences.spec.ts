import { notePageTimes } from '../src/page-clock.ts'
import { consoleOf, expect, failing, test } from '../src/shop.ts'

const preferences = '**/api/users/notification-preferences'

test('PREF-01 signed out the page waits a second, then leads to /sign-in', async ({ shop }) => {
  const { visitor } = shop
  const words = 'Sign in to choose what we write to you about.'
  const msUntil = await notePageTimes(visitor, words)
  await visitor.goto('/notification-preferences')
  await expect(visitor.getByText(words)).toBeVisible()
  await visitor.waitForURL('**/sign-in')
  expect(await msUntil('/sign-in')).toBeGreaterThan(900)
})

test('PREF-02 PREF-04 both toggles are off until saved otherwise; saved leads home after 2 s', async ({ shop }) => {
  const { page } = await shop.signIn('Ada')
  const msUntil = await notePageTimes(page, 'Preferences Saved!')
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
  await page.waitForURL('/')
  expect(await msUntil('/')).toBeGreaterThan(1_900)
  await page.goto('/notification-preferences')
  await expect(deals).toBeChecked()
  await expect(offers).not.toBeChecked()
})

test('PREF-03 Skip for now leads home and saves nothing', async ({ shop }) => {
  const { page, calls } = await shop.signIn('Ada')
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
  test(`PREF-05 a failure is told, and the choice stays: ${JSON.stringify(failure)}`, async ({ shop }) => {
    const { page } = await shop.signIn('Ada')
    await page.goto('/notification-preferences')
    await page.getByRole('switch', { name: 'Seller Offers' }).check()
    await failing(page, preferences, failure, 'POST')
    await page.getByRole('button', { name: 'Save Preferences' }).click()
    await expect(page.getByRole('alert')).toHaveText('Failed to save preferences. Please try again.')
    await expect(page.getByRole('switch', { name: 'Seller Offers' })).toBeChecked()
  })
}

test('PREF-02 what could not be read is not saved over: it is asked again until it is known', async ({ shop }) => {
  const { page, calls } = await shop.signIn('Ada')
  await calls.post('/api/users/notification-preferences', { deals: true, offers: true })
  const lines = consoleOf(page)
  await failing(page, preferences, { status: 500 }, 'GET')
  await page.goto('/notification-preferences')
  await expect.poll(() => lines.some((line) => line.startsWith('Failed to load preferences:'))).toBe(true)
  const deals = page.getByRole('switch', { name: 'Deals & Great Products' })
  const offers = page.getByRole('switch', { name: 'Seller Offers' })
  const save = page.getByRole('button', { name: 'Save Preferences' })
  for (const control of [deals, offers, save]) await expect(control).toBeDisabled()
  await expect(page.getByText('Your settings could not be read yet.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unroute(preferences)
  await expect(deals).toBeChecked()
  await expect(offers).toBeChecked()
  await expect(page.getByText('Your settings could not be read yet.')).toHaveCount(0)
  await deals.uncheck()
  await save.click()
  await expect(page.getByRole('status').filter({ hasText: 'Preferences Saved!' })).toBeVisible()
  expect(await calls.get('/api/users/notification-preferences')).toEqual({ deals: false, offers: true })
})
