import { expect, failCalls, inAnHour, inMs, test } from '../../support/fixtures/page-fixture.ts'

const auction = { is_auction: true, starting_bid: 10 }

test('MYBIDS-01 the tabs of My Bids list active, won and lost auctions', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  const rival = await marketplace.signIn('Ria')
  const [category] = await calls.get<{ id: number }[]>('/api/categories')
  const short = (title: string) =>
    marketplace.seller.post<{ id: string }>('/api/listings', {
      title,
      ...auction,
      auction_end_date: inMs(8_000),
      category_id: category?.id,
    })
  const [won, lost] = [await short('Clock that Bo wins'), await short('Clock that Ria wins')]
  await calls.post('/api/bids', { listing_id: won.id, amount: 12 })
  await calls.post('/api/bids', { listing_id: lost.id, amount: 12 })
  await rival.calls.post('/api/bids', { listing_id: lost.id, amount: 15 })
  const running = await marketplace.list({ title: 'Clock that still runs', ...auction, auction_end_date: inAnHour() })
  await calls.post('/api/bids', { listing_id: running.id, amount: 11 })

  await page.goto('/my-bids')
  const rows = page.getByRole('main').getByRole('article')
  const row = rows.filter({ hasText: 'Clock that still runs' })
  await expect(row).toContainText('Highest bidder')
  await rival.calls.post('/api/bids', { listing_id: running.id, amount: 20 })
  await page.reload()
  await expect(row).toContainText('Outbid')
  await expect(row).toContainText('Current Bid$20.00')
  await expect(row).toContainText('Your Highest Bid$11.00')

  for (const [tab, title, text] of [
    ['Won', 'Clock that Bo wins', 'Sold For$12.00'],
    ['Lost', 'Clock that Ria wins', 'Sold For$15.00'],
  ] as const) {
    await expect(async () => {
      await page.goto('/my-bids')
      await page.getByRole('navigation', { name: 'Bids' }).getByRole('link', { name: tab }).click()
      await expect(rows).toHaveCount(1, { timeout: 1_000 })
    }).toPass()
    await expect(rows).toContainText(title)
    await expect(rows).toContainText(text)
  }
  await rows.getByRole('link').click()
  await expect(page).toHaveURL(`/listing/${lost.id}`)
})

test('MYBIDS-01 My Bids says that there are no bids, also after a failed read', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/my-bids')
  await expect(page.getByRole('heading', { name: 'No active bids' })).toBeVisible()
  await failCalls(page, '**/api/users/me/bids?*', { status: 400 })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No active bids' })).toBeVisible()
})

test('MYBIDS-03 My Bids asks a signed-out visitor to sign in', async ({ marketplace }) => {
  const { visitor } = marketplace
  await visitor.goto('/my-bids')
  await expect(visitor).toHaveURL('/sign-in')
})
