import { findPhotographs } from '@marketplace/stack/demo/photographs.ts'
import { fillCard } from '../../support/browser/card-form.ts'
import { expect, inMs, test } from '../../support/fixtures/page-fixture.ts'

test('LIFE-23 an item that was sold is listed once more, with its terms and photos', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Olga')
  const buyer = await marketplace.signIn('Bo')
  await page.goto('/create-listing')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose photos' }).click()
  await (await chooser).setFiles(findPhotographs()[0]?.file ?? '')
  await page.getByLabel('Title').fill('One of two lamps')
  await page.getByLabel('Category').selectOption({ index: 1 })
  await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('20')
  await page.getByLabel('Shipping cost').fill('4.50')
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  const soldPath = new URL(page.url()).pathname
  await expect(page.getByText('This is your listing.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sell a similar item' })).toHaveCount(0)
  await buyer.page.goto(soldPath)
  await buyer.page.getByRole('button', { name: 'Buy Now' }).click()
  await buyer.page.getByRole('button', { name: 'Continue to Payment', exact: true }).click()
  const payment = buyer.page.getByRole('dialog', { name: 'Complete Payment' })
  await fillCard(payment)
  await payment.getByRole('button', { name: /^Pay \$/ }).click()
  await expect(buyer.page.getByText('Payment successful! Your purchase is complete.')).toBeVisible()
  await expect(buyer.page.getByRole('link', { name: 'Sell a similar item' })).toHaveCount(0)

  await page.goto('/my-listings?status=sold')
  await expect(page.getByRole('link', { name: 'Sell a similar item: One of two lamps' })).toBeVisible()
  await page.goto(soldPath)
  await page.getByRole('link', { name: 'Sell a similar item' }).click()
  await expect(page).toHaveURL(/^[^?]*\/create-listing\?similar=[0-9a-f-]{36}$/)
  await expect(page.getByLabel('Title')).toHaveValue('One of two lamps')
  await expect(page.getByRole('spinbutton', { name: 'Price', exact: true })).toHaveValue('20.00')
  await expect(page.getByLabel('Shipping cost')).toHaveValue('4.50')
  await expect(page.getByRole('list', { name: 'Added images' }).getByRole('listitem')).toHaveCount(1)
  await page.getByLabel('Title').fill('The other lamp')
  await page.reload()
  await expect(page.getByLabel('Title')).toHaveValue('The other lamp')
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  expect(new URL(page.url()).pathname).not.toBe(soldPath)
  await expect(page.getByRole('heading', { level: 1, name: 'The other lamp' })).toBeVisible()
  const picture = page.getByRole('region', { name: 'Pictures' }).getByRole('img').first()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300)
})

test('LIFE-23 a similar auction needs a new end date, and only the seller can copy a listing', async ({
  marketplace,
}) => {
  const owner = await marketplace.signIn('Olga')
  const stranger = await marketplace.signIn('Bo')
  const [category] = await owner.calls.get<{ id: number }[]>('/api/categories')
  const auction = { is_auction: true, starting_bid: 5, buy_it_now_price: 50, auction_end_date: inMs(1_500) }
  const item = { title: 'Lamp at auction', category_id: category?.id, ...auction }
  const { id } = await owner.calls.post<{ id: string }>('/api/listings', item)
  await expect(async () => {
    await owner.page.goto('/my-listings?status=ended')
    await owner.page.getByRole('link', { name: 'Sell a similar item: Lamp at auction' }).click({ timeout: 1_000 })
  }).toPass()
  const { page } = owner
  await expect(page.getByLabel('Sell as an auction')).toBeChecked()
  await expect(page.getByLabel('Starting bid')).toHaveValue('5.00')
  await expect(page.getByLabel('Buy It Now price')).toHaveValue('50.00')
  await page.getByRole('button', { name: 'Create Listing' }).click()
  await expect(page.getByLabel('Auction end date')).toBeFocused()
  await stranger.page.goto(`/create-listing?similar=${id}`)
  await expect(stranger.page.getByRole('heading', { name: "We can't find that listing" })).toBeVisible()
})
