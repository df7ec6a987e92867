import { expect, inAnHour, test } from '../../support/fixtures/page-fixture.ts'

test('PAGE-03 a field of the sell form is validated when it is left, and then on every change', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/create-listing')
  const title = page.getByLabel('Title')
  const price = page.getByRole('spinbutton', { name: 'Price', exact: true })
  await title.click()
  await expect(page.getByText('Title is required')).toHaveCount(0)
  await title.press('Tab')
  await expect(page.getByText('Title is required')).toBeVisible()
  await expect(page.getByText('Price must be greater than $0.00')).toHaveCount(0)
  await title.fill('T')
  await expect(page.getByText('Title is required')).toHaveCount(0)
  await title.fill('')
  await expect(page.getByText('Title is required')).toBeVisible()
  await price.fill('0')
  await expect(page.getByText('Price must be greater than $0.00')).toHaveCount(0)
  await price.blur()
  await expect(page.getByText('Price must be greater than $0.00')).toBeVisible()
  await price.fill('1')
  await expect(price).not.toHaveAttribute('aria-invalid', 'true')
})

test('PAGE-03 every field of the sell form is validated on submit, and then on every change', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await page.goto('/create-listing')
  await page.getByLabel('Sell as an auction').check()
  await page.getByRole('button', { name: 'Create Listing' }).click()
  for (const [label, value] of [
    ['Starting bid', '20'],
    ['Auction end date', inAnHour().slice(0, 4) + '-12-31T23:59'],
    ['Title', 'Bid table'],
  ] as const) {
    const field = page.getByLabel(label)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await field.fill(value)
    await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  }
  await page.getByLabel('Category').selectOption({ index: 1 })
  await expect(page.getByText('Choose a category', { exact: true }).and(page.locator('p'))).toHaveCount(0)
  // A validated field follows the field that it depends on.
  await page.getByLabel('Buy It Now price').fill('20')
  await page.getByLabel('Buy It Now price').blur()
  await expect(page.getByText('Buy It Now price must be higher than starting bid')).toBeVisible()
  await page.getByLabel('Starting bid').fill('19')
  await expect(page.getByText('Buy It Now price must be higher than starting bid')).toHaveCount(0)
})

test('PAGE-03 the amount of an offer is validated when it is left, and then on every change', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Offered lamp', price: 20, accept_offers: true })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  const amount = page.getByLabel('Your offer')
  const problem = page.getByText('Enter an amount greater than $0.00.')
  await expect(amount).toBeFocused()
  await amount.fill('0')
  await expect(problem).toHaveCount(0)
  await amount.press('Tab')
  await expect(problem).toBeVisible()
  await amount.fill('5')
  await expect(problem).toHaveCount(0)
  await amount.fill('')
  await expect(problem).toBeVisible()
})

test('PAGE-03 leaving a form by its close button or an empty message marks no field', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Closed lamp', price: 20, accept_offers: true })
  await page.goto(`/listing/${item.id}`)
  await page.getByRole('button', { name: 'Make Offer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Message Seller' }).click()
  const message = page.getByLabel('Your message')
  await message.click()
  await message.press('Tab')
  await expect(page.getByText('Enter a message.')).toBeVisible()
  await message.fill('Hello')
  await expect(page.getByText('Enter a message.')).toHaveCount(0)
  await message.fill(' ')
  await expect(page.getByText('Enter a message.')).toBeVisible()
})

test('PAGE-03 the amount of a bid is validated when it is left, and then on every change', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const auction = { is_auction: true, starting_bid: 20, auction_end_date: inAnHour() }
  const item = await marketplace.list({ title: 'Validated lamp', ...auction })
  await page.goto(`/listing/${item.id}`)
  const amount = page.getByLabel('Bid amount')
  await amount.focus()
  await amount.press('Tab')
  await expect(amount).not.toHaveAttribute('aria-invalid', 'true')
  await amount.fill('5')
  await expect(page.getByText('Enter more than the starting bid of $20.00.')).toHaveCount(0)
  await amount.blur()
  await expect(page.getByText('Enter more than the starting bid of $20.00.')).toBeVisible()
  await amount.fill('25')
  await expect(page.getByText('Enter more than the starting bid of $20.00.')).toHaveCount(0)
  await amount.fill('20')
  await expect(page.getByText('Enter more than the starting bid of $20.00.')).toBeVisible()
  await (await marketplace.signIn('Ria')).calls.post('/api/bids', { listing_id: item.id, amount: 36 })
  await expect(page.getByText('Enter more than the current bid of $36.00.')).toBeVisible()
  await amount.fill('36.01')
  await expect(page.getByText('Enter more than')).toHaveCount(0)
})
