import type { Locator, Page } from '@playwright/test'
import { addTransactions, listItems } from '../../support/fixtures/list-rows.ts'
import { callsOf, expect, test } from '../../support/fixtures/page-fixture.ts'

// A page of a list has 50 rows, so each test needs two pages.
const rows = 53

const articles = (page: Page) => page.getByRole('main').getByRole('article')
const announcement = (page: Page, count: number) => page.getByRole('status').filter({ hasText: `${count} more loaded` })

/** Expects a first page of 50 rows, scrolls to its end and expects the others below, with an announcement. */
async function expectRestByScrolling(page: Page, list: Locator): Promise<void> {
  await expect(list).toHaveCount(50)
  await list.last().scrollIntoViewIfNeeded()
  await expect(list).toHaveCount(rows)
  await expect(announcement(page, rows - 50)).toBeAttached()
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
}

test('MINE-02 My Listings loads more listings by scrolling and counts all from the start', async ({ marketplace }) => {
  const owner = await marketplace.signIn('Olga')
  await listItems(owner.calls, 'Paged lamp', rows)
  const { page } = owner
  await page.goto('/my-listings')
  await expect(page.getByRole('main')).toContainText(`Total${rows}Active${rows}Inactive0`)
  await expectRestByScrolling(page, articles(page))
  await expect(articles(page).first()).toContainText(`Paged lamp ${rows}`)
  await expect(articles(page).last()).toContainText('Paged lamp 1')
})

test('WATCH-01 WATCH-04 My Favorites loads more by scrolling, counts all, and searches those not loaded', async ({
  marketplace,
}) => {
  const { page, calls } = await marketplace.signIn('Ada')
  for (const { id } of await listItems(marketplace.seller, 'Paged globe', rows))
    await calls.post('/api/watchlist', { listing_id: id })
  await page.goto('/watchlist')
  await expect(page.getByText(`${rows} items`, { exact: true })).toBeVisible()
  await expect(articles(page)).toHaveCount(50)
  await page.getByRole('searchbox', { name: 'Search your favorites' }).fill('globe 2')
  // The oldest of them is on the second page.
  await expect(page.getByText('11 items', { exact: true })).toBeVisible()
  await expect(articles(page).last()).toContainText('Paged globe 2')
  await page.getByRole('searchbox', { name: 'Search your favorites' }).fill('')
  await expectRestByScrolling(page, articles(page))
})

test('TXN-01 Transactions loads more by scrolling, and polls only the newest page', async ({ marketplace }) => {
  const [owner, buyer] = [await marketplace.signIn('Olga'), await marketplace.signIn('Bo')]
  await addTransactions(buyer, owner, 'Paged sale', rows)
  const { page } = buyer
  await page.goto('/transactions')
  await expectRestByScrolling(page, articles(page))
  await expect(articles(page).last()).toContainText('Paged sale 1')
  const calls = callsOf(page, '/api/transactions')
  await addTransactions(buyer, owner, 'New sale', 1)
  await expect(articles(page).first()).toContainText('New sale 1')
  await expect(articles(page)).toHaveCount(rows + 1)
  expect(calls.map(({ url }) => url.search).filter((search) => search !== '')).toEqual([])
})

test('OFFER-07 Offers loads more by scrolling', async ({ marketplace }) => {
  const { page, calls } = await marketplace.signIn('Bo')
  for (const { id } of await listItems(marketplace.seller, 'Paged vase', rows)) {
    const offer = await calls.post<{ id: string }>('/api/offers', { listing_id: id, amount: 4 })
    await calls.post(`/api/offers/${offer.id}/withdraw`)
  }
  await page.goto('/offers?tab=made')
  const offers = page.getByRole('region', { name: 'Offers' }).getByRole('article')
  await offers.last().scrollIntoViewIfNeeded()
  await expect(offers).toHaveCount(rows)
})

test('MSG-01 conversations load more by scrolling, and one that is not loaded opens by its URL', async ({
  marketplace,
}) => {
  const owner = await marketplace.signIn('Olga')
  const senders = [await marketplace.signIn('Bo'), await marketplace.signIn('Ria')]
  const ids: string[] = []
  for (const [at, { id }] of (await listItems(owner.calls, 'Paged chair', rows)).entries()) {
    const message = { listing_id: id, message_text: `About chair ${at + 1}` }
    const conversation = await senders[at % 2]?.calls.post<{ id: string }>('/api/conversations', message)
    ids.push(conversation?.id ?? '')
  }
  const { page } = owner
  const links = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
  await page.goto(`/messages?conversation=${ids[0]}`)
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('About chair 1')
  await expectRestByScrolling(page, links)
  await expect(links.last()).toContainText('About chair 1')
  await expect(links.last()).toHaveAttribute('aria-current', 'true')
})

test('MSG-05 a thread opens at its newest message and loads older ones above without moving', async ({
  marketplace,
}) => {
  const [owner, buyer] = [await marketplace.signIn('Olga'), await marketplace.signIn('Bo')]
  const [item] = await listItems(owner.calls, 'Paged talk', 1)
  const first = { listing_id: item?.id, message_text: 'Message 1' }
  const { id } = await buyer.calls.post<{ id: string }>('/api/conversations', first)
  for (let at = 2; at <= rows; at++)
    await buyer.calls.post('/api/messages', { conversation_id: id, message_text: `Message ${at}` })
  const { page } = owner
  await page.goto(`/messages?conversation=${id}`)
  const log = page.getByRole('log', { name: 'Messages' })
  const bubbles = log.getByRole('listitem')
  await expect(bubbles.last()).toBeInViewport()
  await expect(bubbles.last()).toContainText(`Message ${rows}`)
  await expect(bubbles).toHaveCount(50)
  const top = page.waitForRequest(/cursor=/)
  await log.evaluate((element) => element.scrollTo({ top: 0 }))
  await top
  await expect(bubbles).toHaveCount(rows)
  await expect(bubbles.first()).toContainText('Message 1')
  // The message that was at the top of the first page is still there.
  await expect(bubbles.nth(3)).toBeInViewport()
  await expect(bubbles.first()).not.toBeInViewport()
  await buyer.calls.post('/api/messages', { conversation_id: id, message_text: 'One more' })
  await expect(bubbles.last()).toContainText('One more')
  await expect(bubbles).toHaveCount(rows + 1)
})
