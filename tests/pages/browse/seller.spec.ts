import { expect, failCalls, test } from '../../support/fixtures/page-fixture.ts'

test('SELLR-04 the listing links to the seller’s page, which shows the member’s facts and active listings', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const lamp = await marketplace.list({ title: 'A sold-by lamp', price: 5 })
  await visitor.goto(`/listing/${lamp.id}`)
  const main = visitor.getByRole('main')
  const name = (await main.getByRole('link', { name: /^seller/i }).textContent()) ?? ''
  await main.getByRole('link', { name }).click()
  await expect(visitor).toHaveURL(/\/sellers\/[0-9a-f-]{36}$/)
  await expect(main.getByRole('heading', { level: 1, name })).toBeVisible()
  const month = new Date().toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  await expect(main.getByText(`Member since ${month}`)).toBeVisible()
  await expect(main.getByText('1 active listing', { exact: true })).toBeVisible()
  await expect(main.getByText('0 completed sales')).toBeVisible()
  await expect(main.getByText(/Usually replies/)).toHaveCount(0)
  await expect(main.getByRole('article').getByRole('link', { name: 'A sold-by lamp' })).toBeVisible()
  await expect(main.getByRole('article')).toHaveCount(1)
})

test('SELLR-04 each fact is omitted while its service does not respond', async ({ marketplace }) => {
  const { visitor, seller } = marketplace
  await marketplace.list({ title: 'An unavailable lamp', price: 5 })
  const { id } = await seller.get<{ id: string }>('/api/users/me')
  await failCalls(visitor, '**/api/users/*/profile', { status: 503 }, 'GET')
  await failCalls(visitor, '**/api/users/*/reply-time', { status: 503 }, 'GET')
  await visitor.goto(`/sellers/${id}`)
  const main = visitor.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Member' })).toBeVisible()
  await expect(main.getByText('1 active listing', { exact: true })).toBeVisible()
  await expect(main.getByText(/Member since|completed sale|Usually replies/)).toHaveCount(0)
})

test('SELLR-04 the page of an unknown member says so, and no search engine may list a member’s page', async ({
  marketplace,
}) => {
  const { visitor } = marketplace
  const response = await visitor.goto('/sellers/01890a5d-ac96-774b-bcce-b302099a8057')
  expect(response?.headers()['x-robots-tag']).toBe('noindex')
  await expect(visitor.getByRole('heading', { level: 1, name: 'Member not found' })).toBeVisible()
})

test('SELLR-04 a conversation links to the page of the other member', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bob')
  const lamp = await marketplace.list({ title: 'A discussed lamp', price: 5 })
  const conversation = { listing_id: lamp.id, message_text: 'Is it still there?' }
  const { id } = await calls.post<{ id: string }>('/api/conversations', conversation)
  await marketplace.seller.post('/api/messages', { conversation_id: id, message_text: 'It is.' })
  const { id: sellerId } = await marketplace.seller.get<{ id: string }>('/api/users/me')
  await page.goto('/messages')
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  const link = page.getByRole('region', { name: 'Conversation' }).getByRole('heading').getByRole('link')
  await expect(link).toHaveAttribute('href', `/sellers/${sellerId}`)
})
