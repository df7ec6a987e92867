import { test as base, type Browser } from '@playwright/test'
import { MarketplaceClient } from '@marketplace/dev/client.ts'
import { buyNow, payByCard } from './people.ts'
import { enter, inMs, pagesUrl, untilListed, type Item, type NewItem, type Person } from './shop.ts'

/** Who looks: someone signed out, a buyer with a past, a seller of the demo data, someone who has just signed up. */
export type Role = 'visitor' | 'buyer' | 'owner' | 'newcomer'

export interface Market {
  url: string
  /** Signs in anew each time: browsers that shared a session would revoke it for each other. */
  enter(browser: Browser, role: Exclude<Role, 'visitor'>): Promise<Person>
  /** A listing of the demo data, by how its title begins. */
  find(title: string): Promise<Item>
  /** Lists an item of a third person's; answers once lists show it. */
  list(item: NewItem): Promise<Item>
  /** The address of a picture of the demo data. */
  picture(slug: string): string
  buyer: MarketplaceClient
}

const names = { buyer: 'theo.brandt', owner: 'alice', newcomer: 'nora.lind', seller: 'sam.okoye' }

async function openMarket(worker: number): Promise<Market> {
  const url = pagesUrl()
  const emailOf = (name: string) => (name === 'alice' ? name : `${name}+${process.pid}.${worker}`)
  const seller = await MarketplaceClient.signIn(url, `${emailOf(names.seller)}@example.com`)
  const buyer = await MarketplaceClient.signIn(url, `${emailOf(names.buyer)}@example.com`)
  const [category] = await seller.get<{ id: number }[]>('/api/categories')
  const picture = (slug: string) => `${url}/demo-pictures/${slug}.svg`
  const market: Market = {
    url,
    enter: (browser, role) => enter(browser, url, emailOf(names[role])),
    async find(title) {
      const found = await seller.get<Item[]>(`/api/listings?search=${encodeURIComponent(title)}`)
      const item = found.find((candidate) => candidate.title.startsWith(title))
      if (item === undefined) throw new Error(`The demo data has no ${title}.`)
      return item
    },
    async list(item) {
      const listed = await seller.post<Item>('/api/listings', {
        category_id: category?.id,
        location: 'Malmo, Sweden',
        ...item,
      })
      await untilListed(seller, listed)
      return listed
    },
    picture,
    buyer,
  }
  await giveAPast(market, seller)
  return market
}

/** What the buyer's pages show: purchases in every state, offers, favorites, conversations. */
async function giveAPast(market: Market, seller: MarketplaceClient): Promise<void> {
  const { buyer, list, find, picture } = market
  const bought = await list({
    title: 'Brass desk lamp with a green shade',
    price: 64,
    shipping_cost: 7,
    image_urls: [picture('vintage-desk-lamp-in-green-enamel-1')],
  })
  const intent = await buyNow(buyer, bought.id)
  await payByCard(buyer, intent)
  await buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })

  const agreed = await list({
    title: 'Long coat in waxed cotton',
    price: 48,
    accept_offers: true,
    shipping_cost: 6,
    image_urls: [picture('waxed-cotton-coat-navy-size-m-1')],
  })
  const offer = await buyer.post<{ id: string }>('/api/offers', { listing_id: agreed.id, amount: 40 })
  await seller.post(`/api/offers/${offer.id}/accept`)

  const won = await list({
    title: 'Pocket compass in a leather case',
    is_auction: true,
    starting_bid: 18,
    auction_end_date: inMs(6_000),
    image_urls: [picture('brass-alarm-clock-with-two-bells-1')],
  })
  await buyer.post('/api/bids', { listing_id: won.id, amount: 21.5 })

  const [handbag, laptop, teapot, chess] = await Promise.all(
    ['Leather handbag', '14-inch laptop', 'Teapot in blue glaze', 'Chess set'].map(find),
  )
  await buyer.post('/api/offers', {
    listing_id: handbag?.id,
    amount: 130,
    message: 'Would you take this, with shipping?',
  })
  for (const item of [handbag, laptop, teapot, chess]) await buyer.post('/api/watchlist', { listing_id: item?.id })
  const { id } = await buyer.post<{ id: string }>('/api/conversations', {
    listing_id: laptop?.id,
    message_text: 'Hello, how long does the new battery last with the screen at half?',
  })
  await buyer.post('/api/messages', { conversation_id: id, message_text: 'And is the scratch visible from the front?' })
  await buyer.post('/api/conversations', { listing_id: teapot?.id, message_text: 'Is the lid glazed inside too?' })
}

/** One market per worker, of the demo data and a few people more. */
export const test = base.extend<object, { market: Market }>({
  market: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its parameter
    async ({}, use, { workerIndex }) => use(await openMarket(workerIndex)),
    { scope: 'worker', timeout: 120_000 },
  ],
})

export { expect } from '@playwright/test'
