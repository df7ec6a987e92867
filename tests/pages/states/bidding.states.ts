import { expect, type Page } from '@playwright/test'
import type { DemoFixture } from '../../support/fixtures/demo-fixture.ts'
import { failCalls, holdCalls, inMs, type Item } from '../../support/fixtures/page-fixture.ts'
import { pageState, waitForPage, type PageState } from '../../support/fixtures/page-state.ts'

async function openAuction(page: Page, demo: DemoFixture, bids: number[] = []): Promise<Item> {
  const item = await demo.list({
    title: 'Nikon film camera with a leather strap',
    is_auction: true,
    starting_bid: 25,
    shipping_cost: 4.5,
    auction_end_date: inMs(36_000_000),
    image_urls: [demo.picture('chuttersnap-324234')],
  })
  for (const amount of bids) await demo.buyer.post('/api/bids', { listing_id: item.id, amount })
  await page.goto(`/listing/${item.id}`)
  await waitForPage(page, item.title)
  return item
}

const myBids = '**/api/users/me/bids?*'

/** States of bidding beyond those of the listing page. */
export const biddingStates: PageState[] = [
  {
    name: 'bidding-total',
    as: 'newcomer',
    async open(page, demo) {
      await openAuction(page, demo)
      await page.getByLabel('Bid amount').fill('32')
      await expect(page.getByText('If you win')).toBeVisible()
    },
  },
  {
    name: 'bidding-confirm',
    as: 'newcomer',
    isOverlay: true,
    async open(page, demo) {
      await openAuction(page, demo, [50])
      const amounts = {
        amount: 125_000,
        current_bid: 5_000,
        shipping_cost: 450,
        transaction_fee: 6_250,
        total: 131_700,
      }
      await page.route('**/api/bids', (route) =>
        route.fulfill({ status: 409, json: { error: 'Confirm.', code: 'confirmation_needed', ...amounts } }),
      )
      await page.getByLabel('Bid amount').fill('1250')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByRole('dialog', { name: 'Is $1,250.00 right?' })).toBeVisible()
    },
  },
  {
    name: 'bidding-asked',
    as: 'newcomer',
    isOverlay: true,
    async open(page, demo) {
      await openAuction(page, demo)
      await page.getByLabel('Ask me before each bid').check()
      await page.getByLabel('Bid amount').fill('32')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByRole('dialog', { name: 'Bid $32.00?' })).toBeVisible()
    },
  },
  {
    name: 'bidding-not-chargeable',
    as: 'newcomer',
    async open(page, demo) {
      await openAuction(page, demo)
      await page.getByLabel('Bid amount').fill('9999999.99')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'bidding-all-bids',
    as: 'visitor',
    isOverlay: true,
    async open(page, demo) {
      await openAuction(page, demo, [26, 27, 28.5, 30, 31, 40, 41.25, 1050])
      await page.getByRole('button', { name: 'Show all 8 bids' }).click()
      await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(8)
    },
  },
  {
    name: 'my-bids-active',
    as: 'buyer',
    async open(page, demo) {
      await openAuction(page, demo, [27.5])
      await page.goto('/my-bids')
      await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
    },
  },
  pageState('my-bids-empty', 'newcomer', '/my-bids?state=won', 'My Bids'),
  {
    name: 'my-bids-loading',
    as: 'newcomer',
    async open(page) {
      await holdCalls(page, myBids)
      await page.goto('/my-bids')
      await waitForPage(page, 'My Bids')
    },
  },
  {
    name: 'my-bids-failing',
    as: 'newcomer',
    async open(page) {
      await failCalls(page, myBids, { status: 503 })
      await page.goto('/my-bids?state=lost')
      await expect(page.getByText("We're having trouble loading this page.")).toBeVisible()
    },
  },
]
