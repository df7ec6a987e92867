import type { Locator, Page } from '@playwright/test'
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { fillCard, pay } from '../../support/browser/card-form.ts'
import { prepareOffer, offersRegion } from '../../support/fixtures/offer-setup.ts'
import { expect, test, type Item } from '../../support/fixtures/page-fixture.ts'

async function press(target: Locator): Promise<void> {
  await target.focus()
  await target.press('Enter')
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Creates an offer of the buyer on a listing of the owner. */
async function createOffer(marketplace: Parameters<typeof prepareOffer>[0], title: string) {
  const { owner, buyer, item } = await prepareOffer(marketplace, title)
  await buyer.calls.post('/api/offers', { listing_id: item.id, amount: 30 })
  return { owner: owner.page, buyer: buyer.page }
}

for (const action of ['Reject', 'Accept $30.00']) {
  test(`the heading of Offers gets the focus when the button disappears: ${action}`, async ({ marketplace }) => {
    const { owner } = await createOffer(marketplace, 'Focused lamp')
    await owner.goto('/offers')
    await press(offersRegion(owner).getByRole('button', { name: action }))
    await expect(offersRegion(owner).getByRole('button')).toHaveCount(0)
    await expect(heading(owner)).toBeFocused()
  })
}

test('the heading of Offers gets the focus when Withdraw disappears', async ({ marketplace }) => {
  const { buyer } = await createOffer(marketplace, 'Focused chair')
  await buyer.goto('/offers?tab=made')
  await press(offersRegion(buyer).getByRole('button', { name: 'Withdraw' }))
  await expect(offersRegion(buyer).getByText('Withdrawn')).toBeVisible()
  await expect(heading(buyer)).toBeFocused()
})

test('the heading of Offers gets the focus when Counter disappears after the counteroffer', async ({ marketplace }) => {
  const { owner } = await createOffer(marketplace, 'Focused table')
  await owner.goto('/offers')
  await press(offersRegion(owner).getByRole('button', { name: 'Counter' }))
  await owner.getByLabel('Your offer').fill('40')
  await owner.getByLabel('Your offer').press('Enter')
  await expect(offersRegion(owner).getByRole('button')).toHaveCount(0)
  await expect(owner.getByRole('dialog')).toHaveCount(0)
  await expect(heading(owner)).toBeFocused()
})

test('the heading gets the focus when the last favorite is removed', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  const item = await marketplace.list({ title: 'Focused globe', price: 5 })
  await calls.post('/api/watchlist', { listing_id: item.id })
  await page.goto('/watchlist')
  const toggle = page.getByRole('button', { name: 'Favorite Focused globe' })
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await press(toggle)
  await expect(page.getByRole('heading', { name: 'Your favorites list is empty' })).toBeVisible()
  await expect(heading(page)).toBeFocused()
})

test('the heading gets the focus when a favorite is removed and others remain', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  for (const title of ['Focused atlas', 'Focused map']) {
    const item = await marketplace.list({ title, price: 5 })
    await calls.post('/api/watchlist', { listing_id: item.id })
  }
  await page.goto('/watchlist')
  const toggle = page.getByRole('button', { name: 'Favorite Focused atlas' })
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await press(toggle)
  await expect(toggle).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Favorite Focused map' })).toBeVisible()
  await expect(heading(page)).toBeFocused()
})

for (const action of ['End session', 'End all other sessions']) {
  test(`the heading of Sessions gets the focus when the button disappears: ${action}`, async ({
    marketplace,
  }, info) => {
    const { page } = await marketplace.signIn('Ada')
    await MarketplaceClient.signIn(marketplace.url, `ada-${info.testId}@example.com`)
    await page.goto('/sessions')
    await press(page.getByRole('button', { name: action }))
    await expect(page.getByText('You are not signed in anywhere else.')).toBeVisible()
    await expect(heading(page)).toBeFocused()
  })
}

test('the heading gets the focus when Unblock disappears from the blocked members', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Ada')
  const { id } = await marketplace.signIn('Mallory')
  await calls.post('/api/blocks', { user_id: id })
  await page.goto('/blocked-members')
  await press(page.getByRole('button', { name: 'Unblock' }))
  await expect(page.getByText("You haven't blocked anyone.")).toBeVisible()
  await expect(heading(page)).toBeFocused()
})

test('the name of a member gets the focus when Block or Unblock disappears', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const { id } = await marketplace.signIn('Mallory')
  await page.goto(`/sellers/${id}`)
  await press(page.getByRole('button', { name: 'Block', exact: true }))
  await press(page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }))
  await expect(page.getByText('You blocked this member.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await press(page.getByRole('button', { name: 'Unblock' }))
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible()
  await expect(heading(page)).toBeFocused()
})

test('the heading of My Listings gets the focus when End or Relist disappears', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Olga')
  const [category] = await calls.get<{ id: number }[]>('/api/categories')
  await calls.post<Item>('/api/listings', { title: 'Focused bench', price: 5, category_id: category?.id })
  await page.goto('/my-listings')
  const end = page.getByRole('button', { name: 'End Focused bench' })
  const relist = page.getByRole('button', { name: 'Relist Focused bench' })
  await press(end)
  await press(page.getByRole('button', { name: 'End Listing' }))
  await expect(relist).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(heading(page)).toBeFocused()
  await press(relist)
  await expect(end).toBeVisible()
  await expect(heading(page)).toBeFocused()
})

test('the heading gets the focus when a purchase removes Buy Now, before the listing is marked as sold', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Bought with focus', price: 10 })
  await page.goto(`/listing/${item.id}`)
  const buy = page.getByRole('button', { name: 'Buy Now' })
  await press(buy)
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  // Until the catalog service has received the event of the sale, the listing is still reserved.
  const forSale = await (await page.request.get(`/api/listings/${item.id}`)).json()
  const reserved = { ...forSale, status: 'reserved', is_held_by_you: false }
  await page.route(`**/api/listings/${item.id}`, (route) => route.fulfill({ json: reserved }))
  await pay(page)
  await expect(page.getByRole('alert')).toHaveText('Payment successful! Your purchase is complete.')
  await expect(buy).toHaveCount(0)
  await expect(page.getByText('You bought this item.')).toBeVisible()
  await expect(page.getByText(/Another buyer|Reserved until/)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Bought with focus' })).toBeFocused()
})

test('the focus returns to the Pay button when authentication is refused', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Refused bank', price: 10 })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await fillCard(page, '4000002500003155')
  await page.getByLabel('CVC').press('Enter')
  await press(page.getByRole('button', { name: 'Decline', exact: true }))
  await expect(page.getByRole('alert')).toContainText('Payment failed')
  await expect(page.getByRole('button', { name: /^Pay \$/ })).toBeFocused()
})
