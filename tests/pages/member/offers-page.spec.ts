import { failCalls, expect, openHydrated, respondWith, test } from '../../support/fixtures/page-fixture.ts'
import { prepareOffer } from '../../support/fixtures/offer-setup.ts'

test('OFFER-07 the tabs of Offers list the received and the made offers of both sides', async ({ marketplace }) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Tabbed lamp')
  const offer = await buyer.calls.post<{ id: string }>('/api/offers', { listing_id: item.id, amount: 30 })
  await owner.calls.post(`/api/offers/${offer.id}/counter`, { amount: 40 })
  for (const [person, received, made] of [
    [owner, `${buyer.name} offered $30.00`, `You offered $40.00 to ${buyer.name}`],
    [buyer, `${owner.name} offered $40.00`, `You offered $30.00 to ${owner.name}`],
  ] as const) {
    const { page } = person
    const rows = page.getByRole('region', { name: 'Offers' }).getByRole('article')
    await page.goto('/offers')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(received)
    await page.getByRole('navigation', { name: 'Offers by direction' }).getByRole('link', { name: 'Made' }).click()
    await expect(page).toHaveURL('/offers?tab=made')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText(made)
  }
})

test('OFFER-09 an offer shows the picture of its listing, and no name when none is known', async ({ marketplace }) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Pictured lamp')
  await buyer.calls.post('/api/offers', { listing_id: item.id, amount: 30 })
  const [offer = {}] = await owner.calls.get<object[]>('/api/offers')
  const picture = `${marketplace.url}/favicon.svg`
  await respondWith(owner.page, '**/api/offers?*', [{ ...offer, listing_image_url: picture, other_user_name: null }])
  await owner.page.goto('/offers')
  const row = owner.page.getByRole('region', { name: 'Offers' }).getByRole('article')
  await expect(row).toContainText('A buyer offered $30.00')
  await expect(row.locator('img')).toHaveAttribute('src', picture)
})

test('OFFER-07 Offers says whether there are none, and asks a signed-out visitor to sign in', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/offers')
  await expect(page.getByRole('heading', { name: 'No offers received yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sell an item' })).toHaveAttribute('href', '/create-listing')
  await page.goto('/offers?tab=made')
  await expect(page.getByRole('heading', { name: 'No offers made yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Browse listings' })).toHaveAttribute('href', '/')
  await marketplace.visitor.goto('/offers')
  await expect(marketplace.visitor).toHaveURL('/sign-in')
})

test('OFFER-07 offers are read again every 10 s', async ({ marketplace }) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Polled lamp')
  const { page } = owner
  await page.clock.install()
  await page.goto('/offers')
  await expect(page.getByRole('heading', { name: 'No offers received yet' })).toBeVisible()
  await buyer.calls.post('/api/offers', { listing_id: item.id, amount: 30 })
  await page.clock.fastForward(10_000)
  await expect(page.getByRole('article').filter({ hasText: 'Polled lamp' })).toBeVisible()
})

test('OFFER-08 both menus and Transactions show how many offers need a response', async ({ marketplace }) => {
  const { owner, buyer, item } = await prepareOffer(marketplace, 'Counted lamp')
  const other = await marketplace.signIn('Ria')
  const { page } = owner
  const nav = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Offers' })
  await page.goto('/transactions')
  await expect(nav).toHaveText('Offers')
  await expect(page.getByText(/need.* your response/)).toHaveCount(0)
  await buyer.calls.post('/api/offers', { listing_id: item.id, amount: 30 })
  await page.reload()
  await expect(page.getByRole('link', { name: '1 offer needs your response' })).toBeVisible()
  await other.calls.post('/api/offers', { listing_id: item.id, amount: 31 })
  await page.reload()
  await expect(nav).toHaveText('Offers 22 waiting for your response')
  await page.getByRole('link', { name: '2 offers need your response' }).click()
  await expect(page).toHaveURL('/offers')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expect(menu.getByRole('link', { name: 'Offers' })).toContainText('2 waiting for your response')
  // The buyer's own pending offer does not wait for the buyer.
  await buyer.page.goto('/transactions')
  await expect(
    buyer.page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Offers' }),
  ).toHaveText('Offers')
})

test('SHELL-09 /offers stays empty after a failed read, with a notice until a read succeeds', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await failCalls(page, '**/api/offers?*', { status: 503 })
  await openHydrated(page, '/offers')
  await expect(page.getByText("We're having trouble loading this page. Trying again…")).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No offers received yet' })).toBeVisible()
  await page.unroute('**/api/offers?*')
  await expect(page.getByText("We're having trouble loading this page. Trying again…")).toHaveCount(0)
})
