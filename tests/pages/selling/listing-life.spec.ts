import type { Page } from '@playwright/test'
import { payByCard, type Intent } from '../../support/processes/people.ts'
import { expect, failCalls, test, type Person } from '../../support/fixtures/page-fixture.ts'

const buyNow = (listingId: string) => ({ listing_id: listingId, transaction_type: 'buy_now' })

async function listItem({ calls }: Person, item: object): Promise<{ id: string; title: string }> {
  const [category] = await calls.get<{ id: number }[]>('/api/categories')
  return calls.post('/api/listings', { category_id: category?.id, price: 30, ...item })
}

const card = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

test('LIFE-13 a seller edits a listing in the form, from My Listings and from the listing', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const { page } = owner
  const item = await listItem(owner, {
    title: 'Editable lamp',
    description: 'Brass',
    shipping_cost: 4.5,
    location: 'Oslo',
  })
  await page.goto('/my-listings')
  await page.getByRole('link', { name: 'Edit Editable lamp' }).click()
  await expect(page).toHaveURL(`/listing/${item.id}/edit`)
  await expect(page.getByRole('heading', { level: 1, name: 'Edit listing' })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Editable lamp')
  await expect(page.getByLabel('Description')).toHaveValue('Brass')
  await expect(page.getByLabel('Location')).toHaveValue('Oslo')
  await expect(page.getByLabel('Shipping cost')).toHaveValue('4.50')
  await expect(page.getByLabel('Sell as an auction')).toHaveCount(0)
  await page.getByLabel('Title').fill('')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Title is required')).toBeVisible()
  await page.getByLabel('Title').fill('Edited lamp')
  await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('24.99')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL(`/listing/${item.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Edited lamp' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$24.99', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Edit listing' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Edited lamp')
  await owner.calls.send('PATCH', `/api/listings/${item.id}`, { listing_version: 2, price: 20 })
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This listing was changed in the meantime. Reload it and edit it again.',
  )
})

test('LIFE-13 AUTH-27 a session that expires while an edit is saved loses nothing', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const { page } = owner
  const item = await listItem(owner, { title: 'Kept lamp' })
  const path = `/listing/${item.id}/edit`
  const title = page.getByLabel('Title')
  const save = page.getByRole('button', { name: 'Save Changes' })
  await page.goto(path)
  await title.fill('Kept lamp with a shade')
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await save.click()
  await expect(page).toHaveURL('/sign-in')
  const returnPage = await page.evaluate(() => JSON.parse(sessionStorage.getItem('return-page') ?? '{}'))
  expect(returnPage).toEqual({ path, title: 'Edit listing' })
  await page.context().addCookies(cookies)
  await page.goto(path)
  await expect(title).toHaveValue('Kept lamp with a shade')
  await save.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Kept lamp with a shade' })).toBeVisible()
  await page.goto(path)
  await title.fill('Canceled lamp')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(`/listing/${item.id}`)
  await page.goto(path)
  await expect(title).toHaveValue('Kept lamp with a shade')
  const stored = await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))
  expect(stored).toEqual([])
})

test('LIFE-13 edits of an earlier version are not shown in the form of a later one', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const { page } = owner
  const item = await listItem(owner, { title: 'Twice edited lamp' })
  await page.goto(`/listing/${item.id}/edit`)
  await page.getByLabel('Title').fill('Lamp of this tab')
  await owner.calls.send('PATCH', `/api/listings/${item.id}`, { listing_version: 1, title: 'Lamp of another tab' })
  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue('Lamp of another tab')
})

test('LIFE-13 the edit page says why a listing cannot be edited', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const buyer = await marketplace.signIn('Bo')
  const item = await listItem(owner, { title: 'Guarded lamp' })
  await buyer.page.goto(`/listing/${item.id}/edit`)
  await expect(buyer.page.getByText('Only the seller can edit this listing.')).toBeVisible()
  await buyer.calls.post('/api/payments/create-intent', buyNow(item.id))
  await owner.page.goto(`/listing/${item.id}/edit`)
  await expect(owner.page.getByText(/^A buyer is paying for this item/)).toBeVisible()
  await marketplace.visitor.goto(`/listing/${item.id}/edit`)
  await expect(marketplace.visitor).toHaveURL('/sign-in')
})

test('LIFE-13 the edit page opens the form when a listing that failed to load can be read', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const { page } = owner
  const item = await listItem(owner, { title: 'Patient lamp' })
  await failCalls(page, `**/api/listings/${item.id}`, { status: 503 })
  await page.goto(`/listing/${item.id}/edit`)
  await expect(page.getByText("We're having trouble loading this page. Trying again…")).toBeVisible()
  await expect(page.getByRole('heading', { name: "This listing can't be edited" })).toHaveCount(0)
  await page.unroute(`**/api/listings/${item.id}`)
  await expect(page.getByLabel('Title')).toHaveValue('Patient lamp')
  await page.goto('/listing/01980000-0000-7000-8000-000000000003/edit')
  await expect(page.getByText("This listing may have been removed or doesn't exist.")).toBeVisible()
})

test('LIFE-14 My Listings shows a tab for each status, and ends and relists a listing', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const buyer = await marketplace.signIn('Bo')
  const { page } = owner
  await listItem(owner, { title: 'Lamp to end' })
  const reserved = await listItem(owner, { title: 'Lamp in checkout' })
  await buyer.calls.post('/api/payments/create-intent', buyNow(reserved.id))
  await page.goto('/my-listings')
  await expect(card(page, 'Lamp in checkout').getByText('Reserved')).toBeVisible()
  await expect(card(page, 'Lamp in checkout').getByRole('button')).toHaveCount(0)
  await page.getByRole('button', { name: 'End Lamp to end' }).click()
  const dialog = page.getByRole('dialog', { name: 'End this listing?' })
  await expect(dialog.getByText("Buyers can't buy it while it's ended. You can relist it later.")).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'End Lamp to end' }).click()
  await dialog.getByRole('button', { name: 'End Listing' }).click()
  await expect(page.getByRole('alert')).toHaveText('The listing has ended.')
  await page.getByRole('link', { name: 'Ended', exact: true }).click()
  await expect(page).toHaveURL('/my-listings?status=ended')
  await expect(card(page, 'Lamp in checkout')).toHaveCount(0)
  await page.getByRole('button', { name: 'Relist Lamp to end' }).click()
  await expect(page.getByRole('heading', { name: 'No ended listings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'New listing' })).toBeVisible()
  await page.getByRole('link', { name: 'Active', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Edit Lamp to end' })).toBeVisible()
  await page.getByRole('link', { name: 'Reserved', exact: true }).click()
  await expect(card(page, 'Lamp in checkout')).toBeVisible()
  await expect(card(page, 'Lamp to end')).toHaveCount(0)
})

test('LIFE-15 a reserved item says so to other buyers, and its buyer can continue to payment', async ({
  marketplace,
}) => {
  const item = await marketplace.list({ title: 'Wanted lamp', price: 30 })
  const holder = await marketplace.signIn('Hal')
  const other = await marketplace.signIn('Bo')
  await holder.calls.post('/api/payments/create-intent', buyNow(item.id))
  await other.page.goto(`/listing/${item.id}`)
  const note = "Another buyer is checking out. If they don't pay, this item will be available again within 10 minutes."
  await expect(other.page.getByText(note)).toBeVisible()
  await expect(other.page.getByRole('button', { name: 'Buy Now' })).toBeVisible()
  await expect(other.page.getByRole('button', { name: 'Continue to payment' })).toHaveCount(0)
  await holder.page.goto(`/listing/${item.id}`)
  await expect(holder.page.getByText(note)).toHaveCount(0)
  await holder.page.getByRole('button', { name: 'Continue to payment' }).click()
  await expect(holder.page.getByRole('dialog', { name: 'Confirm Purchase' })).toBeVisible()
  await expect(async () => {
    await other.page.goto('/?search=Wanted+lamp')
    const found = other.page.getByRole('article').filter({ hasText: 'Wanted lamp' })
    await expect(found.getByText('Reserved')).toBeVisible({ timeout: 1_000 })
  }).toPass()
})

test('LIFE-16 a page says how its item left the market and where a struck price comes from', async ({
  marketplace,
}) => {
  const owner = await marketplace.signIn('Olga')
  const { visitor } = marketplace
  const item = await listItem(owner, { title: 'Reduced lamp', is_on_sale: true, original_price: 40 })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByText('Original price stated by the seller')).toBeVisible()
  await owner.calls.post(`/api/listings/${item.id}/end`)
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByText('This item is no longer available. The seller ended this listing.')).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Buy Now' })).toHaveCount(0)
})

test('LIFE-16 the page of a sold item says when it was sold', async ({ marketplace }) => {
  const { visitor } = marketplace
  const { calls } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Sold lamp', price: 30 })
  const intent = await calls.post<Intent>('/api/payments/create-intent', buyNow(item.id))
  await payByCard(calls, intent)
  await calls.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  await visitor.goto(`/listing/${item.id}`)
  await expect(visitor.getByText(/^This item is no longer available\. Sold on [A-Z][a-z]{2} \d{1,2}\.$/)).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Buy Now' })).toHaveCount(0)
})

test('LIFE-17 a buyer who saw an earlier version is told, and sees the new one', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  const buyer = await marketplace.signIn('Bo')
  const item = await listItem(owner, { title: 'Moving lamp' })
  const { page } = buyer
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await owner.calls.send('PATCH', `/api/listings/${item.id}`, { listing_version: 1, price: 45 })
  const dialog = page.getByRole('dialog', { name: 'Confirm Purchase' })
  await dialog.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('The seller changed this listing. Review it before you buy.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$45.00', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Buy Now' }).click()
  await dialog.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Complete Payment' })).toBeVisible()
})
