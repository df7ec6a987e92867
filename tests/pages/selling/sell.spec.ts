import type { Page } from '@playwright/test'
import { callsOf, consoleErrorsOf, expect, failCalls, inMs, test } from '../../support/fixtures/page-fixture.ts'

async function open(page: Page): Promise<void> {
  await page.goto('/create-listing')
  await expect(page.getByRole('heading', { level: 1, name: 'Sell an item' })).toBeVisible()
}

async function fillBasics(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Category').selectOption({ index: 1 })
}

const create = (page: Page) => page.getByRole('button', { name: 'Create Listing' }).click()

function localInput(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

test('SELL-01 /create-listing redirects to /sign-in when signed out', async ({ marketplace }) => {
  await marketplace.visitor.goto('/create-listing')
  await expect(marketplace.visitor).toHaveURL('/sign-in')
})

test('SELL-02 SELL-05 SELL-12 SELL-17 an item is listed with the default choices, and its page is shown', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const sent = callsOf(page, '/api/listings')
  await open(page)
  for (const section of ['Basic Information', 'Pricing', 'Images']) {
    await expect(page.getByRole('region', { name: section })).toBeVisible()
  }
  await expect(page.getByLabel('Condition')).toHaveValue('good')
  await expect(page.getByLabel('Condition').getByRole('option')).toHaveText(['New', 'Like New', 'Good', 'Fair', 'Poor'])
  await expect(page.getByLabel('Sell as an auction')).not.toBeChecked()
  await expect(page.getByLabel('On sale')).not.toBeChecked()
  await expect(page.getByLabel('Accept offers')).toBeChecked()
  await page.getByLabel('Sell as an auction').check()
  await expect(page.getByLabel('Accept offers')).toHaveCount(0)
  await page.getByLabel('Sell as an auction').uncheck()
  await fillBasics(page, 'Plain table')
  await page.getByLabel('Price').pressSequentially('$1,234.50')
  await create(page)
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Plain table' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$1,234.50')).toBeVisible()
  expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
    title: 'Plain table',
    price: 1234.5,
    condition: 'good',
    is_auction: false,
    is_on_sale: false,
    accept_offers: true,
    shipping_cost: 0,
  })
})

test('SELL-03 SELL-13 pictures are added and removed one at a time, and the first is the main one', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await open(page)
  const added = page.getByRole('list', { name: 'Added images' }).getByRole('listitem')
  const field = page.getByLabel('Image URL')
  for (const wrong of ['lamp.jpg', 'javascript:alert(1)', 'data:image/png;base64,AA', 'ftp://example.com/a.jpg']) {
    await field.fill(wrong)
    await page.getByRole('button', { name: 'Add Image' }).click()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(added).toHaveCount(0)
  for (const name of ['one', 'two']) {
    await field.fill(`${marketplace.url}/favicon.svg?${name}`)
    await field.press('Enter')
    await expect(field).toHaveValue('')
  }
  await expect(added).toHaveCount(2)
  await expect(added.nth(0)).toContainText('Main photo')
  await expect(added.nth(1)).not.toContainText('Main photo')
  await page.getByRole('button', { name: 'Remove image 1' }).click()
  await expect(added).toHaveCount(1)
  await expect(added.nth(0)).toContainText('Main photo')
  await expect(added.getByRole('img')).toHaveAttribute('src', /two$/)
})

test('SELL-03 SELL-13 a picture address that was typed but not added is sent with the listing when it is valid', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const sent = callsOf(page, '/api/listings')
  await open(page)
  await fillBasics(page, 'Pictured table')
  await page.getByLabel('Price').fill('20')
  const field = page.getByLabel('Image URL')
  await field.fill('table.jpg')
  await create(page)
  await expect(field).toBeFocused()
  await expect(page.getByText('Enter an image URL that starts with https://')).toBeVisible()
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  await field.fill(`${marketplace.url}/favicon.svg?typed`)
  await create(page)
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
    image_urls: [`${marketplace.url}/favicon.svg?typed`],
  })
})

test('SELL-04 texts that are too long are kept, counted and rejected', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const sent = callsOf(page, '/api/listings')
  await open(page)
  await fillBasics(page, 'x'.repeat(201))
  await page.getByLabel('Price').fill('20')
  for (const [label, most] of [
    ['Title', 200],
    ['Description', 5000],
    ['Location', 200],
  ] as const) {
    const field = page.getByLabel(label)
    await field.fill('x'.repeat(most + 1))
    await expect(field).toHaveValue('x'.repeat(most + 1))
    await expect(page.getByText(`${most + 1}/${most} characters`)).toBeVisible()
    await create(page)
    await expect(field).toBeFocused()
    await expect(page.getByText(`${label} must be ${most} characters or fewer`)).toBeVisible()
    await field.fill('😀'.repeat(most))
    await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  }
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
})

test('SELL-04 SELL-09 SELL-10 the first invalid field is marked and focused, and nothing is sent', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const sent = callsOf(page, '/api/listings')
  await open(page)
  await create(page)
  await expect(page.getByLabel('Title')).toBeFocused()
  await expect(page.getByText('Title is required')).toBeVisible()
  await expect(page.getByText('Price must be greater than $0.00')).toBeVisible()
  await fillBasics(page, 'x')
  await page.getByLabel('Price').fill('0')
  await create(page)
  await expect(page.getByLabel('Price')).toBeFocused()
  await expect(page.getByText('Price must be greater than $0.00')).toBeVisible()
  await page.getByLabel('Price').fill('10')
  await expect(page.getByLabel('Shipping cost')).toHaveValue('0')
  await page.getByLabel('Shipping cost').fill('-1')
  await create(page)
  await expect(page.getByLabel('Shipping cost')).toBeFocused()
  await expect(page.getByText('Shipping cost cannot be negative')).toBeVisible()
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
})

test('SELL-06 SELL-07 SELL-08 SELL-16 an auction requires a starting bid, a future end and a higher buy-it-now price', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  const sent = callsOf(page, '/api/listings')
  await open(page)
  await fillBasics(page, 'Bid table')
  await page.getByLabel('Sell as an auction').check()
  await create(page)
  await expect(page.getByText('Starting bid must be greater than $0.00')).toBeVisible()
  await expect(page.getByLabel('Starting bid')).toBeFocused()
  const end = page.getByLabel('Auction end date')
  await expect(end).toHaveAttribute('type', 'datetime-local')
  await expect(end).toHaveAttribute('required', '')
  const earliest = new Date((await end.getAttribute('min')) ?? '').getTime()
  expect(Math.abs(earliest - Date.now())).toBeLessThan(120_000)
  await page.getByLabel('Starting bid').fill('20')
  await page.getByLabel('Buy It Now price').fill('0')
  await create(page)
  await expect(page.getByText('Buy It Now price must be greater than $0.00')).toBeVisible()
  await page.getByLabel('Buy It Now price').fill('20')
  await create(page)
  await expect(page.getByText('Buy It Now price must be higher than starting bid')).toBeVisible()
  await page.getByLabel('Buy It Now price').fill('20.01')
  await create(page)
  await expect(end).toBeFocused()
  await expect(page.getByText('Choose an end date and time')).toBeVisible()
  await end.fill(localInput(new Date(Date.now() - 3_600_000)))
  await create(page)
  await expect(page.getByText('Choose a date in the future')).toBeVisible()
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  const endsAt = new Date(Date.parse(inMs(7_200_000)))
  await end.fill(localInput(endsAt))
  await create(page)
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('timer')).toHaveText(/^[12]h \d+m$/)
})

test('SELL-11 price fields have a step and a minimum of one cent', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  await open(page)
  await page.getByLabel('On sale').check()
  for (const label of ['Price', 'Original price']) {
    await expect(page.getByLabel(label, { exact: false }).first()).toHaveAttribute('type', 'number')
    await expect(page.getByLabel(label, { exact: false }).first()).toHaveAttribute('step', '0.01')
    await expect(page.getByLabel(label, { exact: false }).first()).toHaveAttribute('min', '0.01')
  }
  await page.getByLabel('Sell as an auction').check()
  for (const label of ['Starting bid', 'Buy It Now price']) {
    await expect(page.getByLabel(label)).toHaveAttribute('type', 'number')
    await expect(page.getByLabel(label)).toHaveAttribute('step', '0.01')
    await expect(page.getByLabel(label)).toHaveAttribute('min', '0.01')
  }
})

for (const [failure, words] of [
  [{ status: 400, error: 'That title is taken.' }, 'That title is taken.'],
  [{ status: 500 }, 'Failed to create listing'],
  ['network', 'Failed to create listing'],
] as const) {
  test(`SELL-14 the error of a failed listing is shown, and the input stays: ${JSON.stringify(failure)}`, async ({
    marketplace,
  }) => {
    const { page } = await marketplace.signIn('Ada')
    await open(page)
    await failCalls(page, '**/api/listings', failure, 'POST')
    await fillBasics(page, 'Kept table')
    await page.getByLabel('Price').fill('20')
    await create(page)
    await expect(page.getByRole('alert')).toHaveText(words)
    await expect(page.getByLabel('Title')).toHaveValue('Kept table')
    await expect(page.getByLabel('Price')).toHaveValue('20')
  })
}

test('CAT-01 categories that failed to load are requested again, and the input stays', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Ada')
  const lines = consoleErrorsOf(page)
  await failCalls(page, '**/api/categories', { status: 500 })
  await open(page)
  await page.getByLabel('Title').fill('Patient table')
  await page.getByLabel('Price').fill('20')
  const failures = () => lines.filter((line) => line.startsWith('Failed to load categories:')).length
  await expect.poll(failures).toBeGreaterThan(1)
  await page.unroute('**/api/categories')
  await expect(page.getByLabel('Category').getByRole('option')).not.toHaveCount(1)
  await expect(page.getByLabel('Title')).toHaveValue('Patient table')
  await expect(page.getByLabel('Price')).toHaveValue('20')
  await page.getByLabel('Category').selectOption({ index: 1 })
  await create(page)
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
})

test('the form warns of totals that cards cannot be charged, and lists the item all the same', async ({
  marketplace,
}) => {
  const { page } = await marketplace.signIn('Ada')
  await open(page)
  await fillBasics(page, 'Penny auction')
  const atLeast = page.getByText('Cards are charged at least $0.50 in total.')
  const atMost = page.getByText('Cards are charged at most $999,999.99 in total.')
  const price = page.getByRole('spinbutton', { name: 'Price', exact: true })
  await price.fill('0.10')
  await expect(atLeast).toBeVisible()
  await page.getByLabel('Shipping cost').fill('0.40')
  await expect(atLeast).toHaveCount(0)
  await price.fill('952380.95')
  await expect(atMost).toBeVisible()
  await page.getByLabel('Shipping cost').fill('0')
  await page.getByLabel('Sell as an auction').check()
  await expect(atMost).toHaveCount(0)
  await page.getByLabel('Starting bid').fill('0.01')
  await page.getByLabel('Auction end date').fill(localInput(new Date(Date.now() + 3_600_000)))
  await expect(atLeast).toBeVisible()
  await create(page)
  await page.waitForURL(/\/listing\/[0-9a-f-]{36}$/)
})
