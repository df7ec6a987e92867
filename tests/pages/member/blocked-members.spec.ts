import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { expect, failCalls, test } from '../../support/fixtures/page-fixture.ts'

const blocks = '**/api/blocks'

/** Signs up a member and returns the id. */
async function signUp(url: string, email: string): Promise<string> {
  const calls = await MarketplaceClient.signIn(url, email)
  return (await calls.get<{ id: string }>('/api/users/me')).id
}

test('BLOCK-09 a member is blocked on their page after a question, and unblocked on the list', async ({
  marketplace,
}, info) => {
  const { page, calls } = await marketplace.signIn('Ada')
  const id = await signUp(marketplace.url, `mallory-${info.testId}@example.com`)
  await page.goto(`/sellers/${id}`)
  await expect(page.getByText(/^Member since/)).toBeVisible()
  const name = await page.getByRole('heading', { level: 1 }).textContent()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Block ${name}?` })
  await expect(dialog).toContainText(
    "They won't be able to message you, make offers, or bid on or buy your items. We won't tell them.",
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await calls.get('/api/blocks')).toEqual([])
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await expect(page.getByText('You blocked this member.')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await page.goto('/blocked-members')
  const row = page.getByRole('main').getByRole('listitem')
  await expect(row.getByRole('link', { name: name ?? '' })).toHaveAttribute('href', `/sellers/${id}`)
  await row.getByRole('button', { name: 'Unblock' }).click()
  await expect(page.getByText(`${name} is unblocked.`)).toBeVisible()
  await expect(page.getByText("You haven't blocked anyone.")).toBeVisible()
  expect(await calls.get('/api/blocks')).toEqual([])
})

test('BLOCK-09 a block is possible by keyboard alone, and a refusal is shown in the dialog', async ({
  marketplace,
}, info) => {
  const { page } = await marketplace.signIn('Ada')
  const id = await signUp(marketplace.url, `mallory-${info.testId}@example.com`)
  await failCalls(page, blocks, { status: 503 }, 'POST')
  await page.goto(`/sellers/${id}`)
  await page.getByRole('button', { name: 'Block', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Block', exact: true }).press('Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await page.unroute(blocks)
  await dialog.getByRole('button', { name: 'Block', exact: true }).press('Enter')
  await expect(page.getByText('You blocked this member.')).toBeVisible()
  await page.getByRole('button', { name: 'Unblock' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible()
})

test('BLOCK-09 a failure to load is shown and retried, and a failure to unblock keeps the member', async ({
  marketplace,
}, info) => {
  const { page, calls } = await marketplace.signIn('Ada')
  await calls.post('/api/blocks', { user_id: await signUp(marketplace.url, `mallory-${info.testId}@example.com`) })
  await failCalls(page, blocks, { status: 503 }, 'GET')
  await failCalls(page, '**/api/blocks/*', 'network', 'DELETE')
  await page.goto('/blocked-members')
  await expect(page.getByRole('heading', { name: 'Your blocked members could not be loaded' })).toBeVisible()
  await page.unroute(blocks)
  await page.getByRole('button', { name: 'Unblock' }).click()
  await expect(page.getByRole('alert')).toHaveText('The member could not be unblocked. Please try again.')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
})

test('BLOCK-09 the list redirects to /sign-in when signed out, and a visitor sees no Block button', async ({
  marketplace,
}, info) => {
  const { visitor, url } = marketplace
  await visitor.goto('/blocked-members')
  await expect(visitor).toHaveURL('/sign-in')
  await visitor.goto(`/sellers/${await signUp(url, `mallory-${info.testId}@example.com`)}`)
  await expect(visitor.getByText(/^Member since/)).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Block', exact: true })).toHaveCount(0)
})
