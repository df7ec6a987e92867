import type { Page, Route } from '@playwright/test'
import { openThread } from '../../support/fixtures/conversation-setup.ts'
import { expect, failCalls, inAnHour, test, type Item, type Person } from '../../support/fixtures/page-fixture.ts'

/** A form with its input, and how it is sent. */
interface Form {
  name: string
  call: string
  fallback: string
  item?: object
  /** Creates what the form needs besides the item. */
  prepare?(person: Person, item: Item): Promise<unknown>
  open(page: Page, item: Item): Promise<void>
  fill(page: Page): Promise<void>
  send(page: Page): Promise<void>
  expectKept(page: Page): Promise<void>
}

const openListing = (page: Page, item: Item) => page.goto(`/listing/${item.id}`).then(() => {})

const bid: Form = {
  name: 'a bid',
  call: '**/api/bids',
  fallback: 'Failed to place bid',
  item: { is_auction: true, starting_bid: 10, auction_end_date: inAnHour() },
  open: openListing,
  fill: (page) => page.getByLabel('Bid amount').fill('1234.50'),
  send: (page) => page.getByRole('button', { name: 'Place Bid' }).click(),
  expectKept: (page) => expect(page.getByLabel('Bid amount')).toHaveValue('1234.50'),
}

const offer: Form = {
  name: 'an offer',
  call: '**/api/offers',
  fallback: 'Failed to submit offer',
  item: { price: 20, accept_offers: true },
  async open(page, item) {
    await openListing(page, item)
    await page.getByRole('button', { name: 'Make Offer' }).click()
  },
  async fill(page) {
    await page.getByLabel('Your offer').fill('15')
    await page.getByLabel('Message (optional)').fill('For cash?')
  },
  send: (page) => page.getByRole('button', { name: /^Send Offer/ }).click(),
  async expectKept(page) {
    await expect(page.getByLabel('Your offer')).toHaveValue('15')
    await expect(page.getByLabel('Message (optional)')).toHaveValue('For cash?')
  },
}

const message: Form = {
  name: 'a message to a seller',
  call: '**/api/conversations',
  fallback: 'Failed to send message',
  item: { price: 20 },
  async open(page, item) {
    await openListing(page, item)
    await page.getByRole('button', { name: 'Message Seller' }).click()
  },
  fill: (page) => page.getByLabel('Your message').fill('Is it still there?'),
  send: (page) => page.getByRole('button', { name: 'Send Message' }).click(),
  expectKept: (page) => expect(page.getByLabel('Your message')).toHaveValue('Is it still there?'),
}

const reply: Form = {
  name: 'a reply',
  call: '**/api/messages',
  fallback: 'Failed to send message',
  prepare: ({ calls }, item) => calls.post('/api/conversations', { listing_id: item.id, message_text: 'Is it dry?' }),
  open: (page) => openThread(page).then(() => {}),
  fill: (page) => page.getByLabel('Message', { exact: true }).fill('And clean?'),
  send: (page) => page.getByRole('button', { name: 'Send message' }).click(),
  expectKept: (page) => expect(page.getByLabel('Message', { exact: true })).toHaveValue('And clean?'),
}

const listing: Form = {
  name: 'a new listing',
  call: '**/api/listings',
  fallback: 'Failed to create listing',
  open: (page) => page.goto('/create-listing').then(() => {}),
  async fill(page) {
    await page.getByLabel('Title').fill('Half-written table')
    await page.getByLabel('Category').selectOption({ index: 1 })
    await page.getByRole('spinbutton', { name: 'Price', exact: true }).fill('1234.50')
    await page.getByLabel('Image URL').fill('https://pictures.example/table.jpg')
    await page.getByRole('button', { name: 'Add Image' }).click()
  },
  send: (page) => page.getByRole('button', { name: 'Create Listing' }).click(),
  async expectKept(page) {
    await expect(page.getByLabel('Title')).toHaveValue('Half-written table')
    await expect(page.getByRole('spinbutton', { name: 'Price', exact: true })).toHaveValue('1234.50')
    await expect(page.getByRole('list', { name: 'Added images' }).getByRole('listitem')).toHaveCount(1)
  },
}

const forms = [bid, offer, message, reply, listing]
const rateLimitError = 'You are doing that too often. Wait a moment and try again.'

for (const form of forms) {
  for (const { failure, words } of [
    { failure: { status: 500 }, words: form.fallback },
    { failure: { status: 409, error: 'Somebody was faster.' }, words: 'Somebody was faster.' },
    { failure: { status: 429, error: rateLimitError }, words: rateLimitError },
  ]) {
    test(`${failure.status} to ${form.name} is shown and keeps the input`, async ({ marketplace }) => {
      const person = await marketplace.signIn('Bo')
      const { page } = person
      const item = await marketplace.list({
        title: `Refused ${failure.status} to ${form.name}`,
        price: 9,
        ...form.item,
      })
      await form.prepare?.(person, item)
      await form.open(page, item)
      await form.fill(page)
      await failCalls(page, form.call, failure, 'POST')
      await form.send(page)
      await expect(page.getByRole('alert')).toHaveText(words)
      await form.expectKept(page)
    })
  }

  test(`a session that expires during ${form.name} keeps the input until after signing in`, async ({ marketplace }) => {
    const person = await marketplace.signIn('Bo')
    const { page } = person
    const item = await marketplace.list({ title: `Signed out of ${form.name}`, price: 9, ...form.item })
    await form.prepare?.(person, item)
    await form.open(page, item)
    await form.fill(page)
    // All other requests are held: the form must be the first to find the session expired.
    await page.route('**/api/**', () => {})
    await page.route(form.call, (route) => route.continue())
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await form.send(page)
    await expect(
      page
        .getByRole('link', { name: 'Sign In' })
        .or(page.getByRole('button', { name: /^Sign In/ }))
        .first(),
    ).toBeVisible()
    await page.context().addCookies(cookies)
    await page.unrouteAll()
    await form.open(page, item)
    await form.expectKept(page)
  })
}

test('a missing response times out after 20 s and keeps the input', async ({ marketplace }) => {
  const { page } = await marketplace.signIn('Bo')
  const item = await marketplace.list({ title: 'Unanswered bid', price: 9, ...bid.item })
  await page.clock.install()
  await bid.open(page, item)
  await bid.fill(page)
  await page.route(bid.call, () => {})
  await bid.send(page)
  await expect(page.getByText('Placing your bid of $1,234.50…')).toBeVisible()
  await page.clock.fastForward(20_000)
  await expect(page.getByRole('alert')).toHaveText('Failed to place bid')
  await bid.expectKept(page)
})

/** Forwards the call and drops its first response. */
async function dropFirstResponse(page: Page, url: string): Promise<void> {
  let isLost = false
  await page.route(url, async (route: Route) => {
    if (route.request().method() !== 'POST' || isLost) return route.fallback()
    isLost = true
    await route.fetch()
    return route.abort()
  })
}

test('a retry after a lost response takes effect once', async ({ marketplace }) => {
  const seller: Person = await marketplace.signIn('Sue')
  const { page, calls } = await marketplace.signIn('Bo')
  const [category] = await calls.get<{ id: number }[]>('/api/categories')
  const item = await seller.calls.post<Item>('/api/listings', {
    title: 'Twice sent',
    price: 9,
    category_id: category?.id,
  })
  await message.open(page, item)
  await message.fill(page)
  await dropFirstResponse(page, message.call)
  await message.send(page)
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled()
  await message.send(page)
  await expect(page.getByRole('dialog')).toBeHidden()
  const [conversation] = await seller.calls.get<{ id: string }[]>('/api/conversations')
  expect(await seller.calls.get<object[]>(`/api/conversations/${conversation?.id}/messages`)).toHaveLength(1)
})
