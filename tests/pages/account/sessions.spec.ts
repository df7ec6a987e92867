import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { expect, failCalls, test } from '../../support/fixtures/page-fixture.ts'

const sessions = '**/api/users/me/sessions?*'

test('AUTH-25 the page shows the sessions, marks the current one and ends another', async ({ marketplace }, info) => {
  const { page } = await marketplace.signIn('Ada')
  const other = await MarketplaceClient.signIn(marketplace.url, `ada-${info.testId}@example.com`)
  await page.goto('/sessions')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'This is your current session.' })).toHaveCount(1)
  await rows.getByRole('button', { name: 'End session' }).click()
  await expect(page.getByText('The session has ended.')).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expect(page.getByText('You are not signed in anywhere else.')).toBeVisible()
  await expect(other.get('/api/users/me')).rejects.toThrow()
})

test('AUTH-25 all other sessions are ended together', async ({ marketplace }, info) => {
  const { page, calls } = await marketplace.signIn('Ada')
  for (let browser = 0; browser < 2; browser += 1)
    await MarketplaceClient.signIn(marketplace.url, `ada-${info.testId}@example.com`)
  await page.goto('/sessions')
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(page.getByText('All other sessions have ended.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
  expect(await calls.get<unknown[]>('/api/users/me/sessions')).toHaveLength(1)
})

test('AUTH-25 a failure to load is shown and retried, and a failure to end keeps the session', async ({
  marketplace,
}, info) => {
  const { page } = await marketplace.signIn('Ada')
  await MarketplaceClient.signIn(marketplace.url, `ada-${info.testId}@example.com`)
  await failCalls(page, sessions, { status: 503 }, 'GET')
  await failCalls(page, '**/api/users/me/sessions/*', 'network', 'DELETE')
  await page.goto('/sessions')
  await expect(page.getByRole('heading', { name: 'Your sessions could not be loaded' })).toBeVisible()
  await page.unroute(sessions)
  await page.getByRole('button', { name: 'End session' }).click()
  await expect(page.getByRole('alert')).toHaveText('The session could not be ended. Please try again.')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
})

test('AUTH-25 the page redirects to /sign-in when signed out', async ({ marketplace }) => {
  await marketplace.visitor.goto('/sessions')
  await expect(marketplace.visitor).toHaveURL('/sign-in')
})
