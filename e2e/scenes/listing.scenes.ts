import { expect, type Page } from '@playwright/test'
import { type Market } from '../src/market.ts'
import { payByCard, type Intent } from '../src/people.ts'
import { seeHeading, type Scene } from '../src/scene.ts'
import { failing, holding, inMs, type Item } from '../src/shop.ts'

const minutes = (count: number) => inMs(count * 60_000)

async function show(page: Page, item: Item): Promise<void> {
  await page.goto(`/listing/${item.id}`)
  await seeHeading(page, item.title)
}

function listed(name: string, as: Scene['as'], item: (market: Market) => Promise<Item>): Scene {
  return { name, as, open: async (page, market) => show(page, await item(market)) }
}

const auctionOf = (market: Market, endsIn: number, more: object = {}) =>
  market.list({
    title: 'Portable radio with a wooden case',
    description: 'Warm sound on FM and medium wave. Runs on mains or six cells.',
    is_auction: true,
    starting_bid: 25,
    shipping_cost: 6,
    auction_end_date: minutes(endsIn),
    image_urls: [1, 2].map((view) => market.picture(`portable-radio-with-a-wooden-case-1970s-${view}`)),
    ...more,
  })

async function bid(market: Market, item: Item, amount: number): Promise<void> {
  await market.buyer.post('/api/bids', { listing_id: item.id, amount })
}

export const listingScenes: Scene[] = [
  listed('listing-sale-visitor', 'visitor', ({ find }) => find('Leather handbag')),
  listed('listing-sale-buyer-with-offer', 'buyer', ({ find }) => find('Leather handbag')),
  listed('listing-sale-owner-with-offer', 'owner', ({ find }) => find('Leather handbag')),
  listed('listing-fixed-newcomer', 'newcomer', ({ find }) => find('City bicycle')),
  listed('listing-auction-visitor', 'visitor', ({ find }) => find('Electric guitar')),
  listed('listing-auction-newcomer', 'newcomer', ({ find }) => find('Violin')),
  listed('listing-auction-owner', 'owner', async (market) =>
    market.find('Carriage clock').catch(() => market.find('Leather')),
  ),
  listed('listing-auction-soon', 'newcomer', (market) => auctionOf(market, 42)),
  listed('listing-auction-urgent', 'newcomer', (market) => auctionOf(market, 4, { buy_it_now_price: 80 })),
  {
    name: 'listing-auction-leading',
    as: 'buyer',
    async open(page, market) {
      await show(page, await auctionOf(market, 600, { buy_it_now_price: 80 }))
      await page.getByLabel('Bid amount').fill('31')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByText('You are the highest bidder.')).toBeVisible()
    },
  },
  {
    name: 'listing-auction-outbid',
    as: 'newcomer',
    async open(page, market) {
      const item = await auctionOf(market, 600)
      await show(page, item)
      await page.getByLabel('Bid amount').fill('31')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByText('You are the highest bidder.')).toBeVisible()
      await bid(market, item, 40)
      await expect(page.getByText('You have been outbid')).toBeVisible()
    },
  },
  listed('listing-auction-bought-early', 'newcomer', async (market) => {
    const item = await auctionOf(market, 600, { buy_it_now_price: 80 })
    const intent = await market.buyer.post<Intent>(`/api/auctions/${item.id}/buy-now`, {})
    await payByCard(market.buyer, intent)
    await market.buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
    return item
  }),
  {
    name: 'listing-auction-wrong-bid',
    as: 'newcomer',
    async open(page, market) {
      await show(page, await market.find('Violin'))
      await page.getByLabel('Bid amount').fill('5')
      await page.getByRole('button', { name: 'Place Bid' }).click()
    },
  },
  {
    name: 'listing-auction-refused-bid',
    as: 'newcomer',
    async open(page, market) {
      await failing(page, '**/api/bids', { status: 409, error: 'Someone bid $310.00 a moment before you.' })
      await show(page, await market.find('Violin'))
      await page.getByLabel('Bid amount').fill('305')
      await page.getByRole('button', { name: 'Place Bid' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'listing-auction-ended',
    as: 'newcomer',
    async open(page, market) {
      const item = await market.list({
        title: 'Telescope, 70 mm refractor',
        is_auction: true,
        starting_bid: 70,
        auction_end_date: inMs(3_000),
        image_urls: [market.picture('telescope-70-mm-refractor-with-tripod-1')],
      })
      await bid(market, item, 75)
      await show(page, item)
      await expect(page.getByText('Bidding is closed.')).toBeVisible()
    },
  },
  listed('listing-sold', 'buyer', async ({ buyer }) => {
    const sales = await buyer.get<{ listing_id: string; listing_title: string; status: string }[]>('/api/transactions')
    const sale = sales.find(({ status }) => status === 'completed')
    return { id: sale?.listing_id ?? '', title: sale?.listing_title ?? '', created_at: '' }
  }),
  {
    name: 'listing-loading',
    as: 'visitor',
    async open(page, market) {
      const item = await market.find('Violin')
      await holding(page, `**/api/listings/${item.id}`)
      await page.goto(`/listing/${item.id}`)
      await expect(page.getByText('Loading the listing')).toBeAttached()
    },
  },
  {
    name: 'listing-not-found',
    as: 'visitor',
    async open(page) {
      await page.goto('/listing/unknown')
      await seeHeading(page, 'Listing not found')
    },
  },
]
