import { expect, type Page } from '@playwright/test'
import { type DemoFixture } from '../../support/fixtures/demo-fixture.ts'
import { buyNow, payByCard, type Intent } from '../../support/processes/people.ts'
import { waitForPage, type PageState } from '../../support/fixtures/page-state.ts'
import { holdCalls, inMs, type Item } from '../../support/fixtures/page-fixture.ts'

const minutes = (count: number) => inMs(count * 60_000)

async function openListing(page: Page, item: Item): Promise<void> {
  await page.goto(`/listing/${item.id}`)
  await waitForPage(page, item.title)
}

function listingState(name: string, as: PageState['as'], item: (demo: DemoFixture) => Promise<Item>): PageState {
  return { name, as, open: async (page, demo) => openListing(page, await item(demo)) }
}

const auctionOf = (demo: DemoFixture, endsIn: number, more: object = {}) =>
  demo.list({
    title: 'Two film cameras, a Nikon and a Rolleiflex',
    description: 'Both shutters fire at all speeds. The glass is clean.',
    is_auction: true,
    starting_bid: 25,
    shipping_cost: 6,
    auction_end_date: minutes(endsIn),
    image_urls: ['chuttersnap-324234', 'alexander-andrews-260988'].map(demo.picture),
    ...more,
  })

async function bid(demo: DemoFixture, item: Item, amount: number): Promise<void> {
  await demo.buyer.post('/api/bids', { listing_id: item.id, amount })
}

async function buyItNow(demo: DemoFixture, item: Item): Promise<void> {
  const intent = await demo.buyer.post<Intent>(`/api/auctions/${item.id}/buy-now`, {})
  await payByCard(demo.buyer, intent)
  await demo.buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
}

export const listingStates: PageState[] = [
  listingState('listing-sale-visitor', 'visitor', ({ find }) => find('White Nike high-top')),
  listingState('listing-sale-buyer-with-offer', 'buyer', ({ find }) => find('White Nike high-top')),
  listingState('listing-sale-owner-with-offer', 'owner', ({ find }) => find('White Nike high-top')),
  listingState('listing-fixed-newcomer', 'newcomer', ({ find }) => find('Black road bicycle')),
  listingState('listing-auction-visitor', 'visitor', ({ find }) => find('Retro-style compact camera')),
  listingState('listing-auction-newcomer', 'newcomer', ({ find }) => find('Rolleiflex')),
  listingState('listing-auction-owner', 'owner', ({ find }) => find('Framed print: snow on the French Alps')),
  listingState('listing-auction-soon', 'newcomer', (demo) => auctionOf(demo, 42)),
  listingState('listing-auction-urgent', 'newcomer', (demo) => auctionOf(demo, 4, { buy_it_now_price: 80 })),
  {
    name: 'listing-auction-leading',
    as: 'buyer',
    async open(page, demo) {
      await openListing(page, await auctionOf(demo, 600, { buy_it_now_price: 80 }))
      await page.getByLabel('Bid amount').fill('31')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByText("You're the highest bidder.")).toBeVisible()
    },
  },
  {
    name: 'listing-auction-outbid',
    as: 'newcomer',
    async open(page, demo) {
      const item = await auctionOf(demo, 600)
      await openListing(page, item)
      await page.getByLabel('Bid amount').fill('31')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByText("You're the highest bidder.")).toBeVisible()
      await bid(demo, item, 40)
      await expect(page.getByText("You've been outbid")).toBeVisible()
    },
  },
  listingState('listing-auction-bought-early', 'newcomer', async (demo) => {
    const item = await auctionOf(demo, 600, { buy_it_now_price: 80 })
    await buyItNow(demo, item)
    return item
  }),
  {
    name: 'listing-auction-wrong-bid',
    as: 'newcomer',
    async open(page, demo) {
      await openListing(page, await demo.find('Rolleiflex'))
      await page.getByLabel('Bid amount').fill('5')
      await page.getByRole('button', { name: 'Place Bid' }).click()
    },
  },
  {
    name: 'listing-auction-refused-bid',
    as: 'newcomer',
    async open(page, demo) {
      const item = await auctionOf(demo, 600)
      await page.route('**/api/bids', async (route) => {
        await bid(demo, item, 36)
        await route.continue()
      })
      await openListing(page, item)
      await page.getByLabel('Bid amount').fill('31')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
      await expect(page.getByText('Minimum bid: $37.00')).toBeVisible()
    },
  },
  {
    name: 'listing-auction-late-bid',
    as: 'newcomer',
    async open(page, demo) {
      const item = await auctionOf(demo, 600, { buy_it_now_price: 80 })
      await page.route('**/api/bids', async (route) => {
        await buyItNow(demo, item)
        await route.continue()
      })
      await openListing(page, item)
      await page.getByLabel('Bid amount').fill('31')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
      await expect(page.getByText('Bidding has ended.')).toBeVisible()
    },
  },
  {
    name: 'listing-auction-ended',
    as: 'newcomer',
    async open(page, demo) {
      const item = await demo.list({
        title: 'Stone lion with one paw on a ball',
        is_auction: true,
        starting_bid: 70,
        auction_end_date: inMs(3_000),
        image_urls: [demo.picture('vincent-liu-525429')],
      })
      await bid(demo, item, 75)
      await openListing(page, item)
      await expect(page.getByText('Bidding has ended.')).toBeVisible()
    },
  },
  listingState('listing-sold', 'buyer', async ({ buyer }) => {
    const sales = await buyer.get<{ listing_id: string; listing_title: string; status: string }[]>('/api/transactions')
    const sale = sales.find(({ status }) => status === 'completed')
    return { id: sale?.listing_id ?? '', title: sale?.listing_title ?? '', created_at: '' }
  }),
  {
    name: 'listing-held',
    as: 'buyer',
    async open(page, demo) {
      const item = await demo.list({
        title: 'Gray pendant lamp with a long cord',
        price: 52,
        shipping_cost: 9,
        accept_offers: true,
        image_urls: [demo.picture('pierre-chatel-innocenti-483198')],
      })
      await buyNow(demo.buyer, item.id)
      await openListing(page, item)
      await expect(page.getByRole('button', { name: 'Continue to payment' })).toBeVisible()
    },
  },
  {
    name: 'listing-loading',
    as: 'visitor',
    async open(page, demo) {
      const item = await demo.find('Rolleiflex')
      await holdCalls(page, `**/api/listings/${item.id}`)
      await page.goto(`/listing/${item.id}`)
      await expect(page.getByText('Loading the listing')).toBeAttached()
    },
  },
  {
    name: 'listing-not-found',
    as: 'visitor',
    async open(page) {
      await page.goto('/listing/unknown')
      await waitForPage(page, 'Listing not found')
    },
  },
]
