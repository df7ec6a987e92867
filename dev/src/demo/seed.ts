import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MarketplaceClient } from '../client.ts'
import { CONVERSATIONS } from './conversations.ts'
import { readListings, type DemoListing } from './listings.ts'
import { buy, ownListings, signInAll, talk, type Listing } from './person.ts'
import { pictureNames } from './pictures.ts'
import { search } from './searches.ts'

export type SeedOptions = { readonly url: string; readonly dataDir: string; readonly listings?: readonly DemoListing[] }

type Placed = { readonly demo: DemoListing; readonly listing: Listing }
type People = (name: string) => MarketplaceClient

const AT_ONCE = 6
const BIDDERS = ['alice', 'bob', 'carol', 'grace.okafor', 'hugo.moreau']
const INDEXED_MS = 10_000
const FEW_AUCTIONS = 6

/** Makes the demo data through the public calls; what an interrupted start left out is added, the rest left alone. */
export async function seedDemo({ url, dataDir, listings = readListings() }: SeedOptions): Promise<void> {
  const stamp = join(dataDir, 'demo-data')
  if (existsSync(stamp) && (await isLively(url))) return search(url)
  const people = await signInAll(url, [...BIDDERS, ...listings.map(({ seller }) => seller)])
  const placed = await placeListings(url, people, listings)
  await inParallel(placed, (one) => placeBids(people, one))
  await inParallel(placed, async ({ demo, listing }) => demo.soldTo && buy(people(demo.soldTo), listing.id))
  await inParallel(CONVERSATIONS, async ({ about, buyer, lines }) => {
    const found = placed.find(({ demo }) => demo.title.startsWith(about))
    if (found) await talk(people(buyer), people(found.demo.seller), found.listing, lines)
  })
  await waitUntilListed(url, placed.filter(({ demo }) => demo.soldTo === undefined).length)
  await search(url)
  writeFileSync(stamp, `${new Date().toISOString()}\n`)
}

async function placeListings(url: string, people: People, listings: readonly DemoListing[]): Promise<Placed[]> {
  const sellers = [...new Set(listings.map(({ seller }) => seller))]
  const known = (await Promise.all(sellers.map((seller) => ownListings(people(seller))))).flat()
  const categories = await new MarketplaceClient(url).get<{ id: number; slug: string }[]>('/api/categories')
  // From the last to the first, so that the page of the newest begins as listings.txt does.
  return inParallel(listings.toReversed(), async (demo) => {
    const category_id = categories.find(({ slug }) => slug === demo.category)?.id
    // An auction that has ended is listed anew, so that a shop of yesterday still has some.
    const found = known.find(({ title, is_active }) => title === demo.title && (is_active || !demo.auction))
    return {
      demo,
      listing:
        found ?? (await people(demo.seller).post<Listing>('/api/listings', { ...toRequest(url, demo), category_id })),
    }
  })
}

function toRequest(url: string, demo: DemoListing) {
  const { title, description, condition, price, location, originalPrice, auction } = demo
  const common = { title, description, condition, location, shipping_cost: demo.shipping }
  const image_urls = pictureNames(demo).map((name) => new URL(`/demo-pictures/${name}`, url).href)
  if (!auction) {
    const sale = originalPrice === undefined ? {} : { is_on_sale: true, original_price: originalPrice }
    return { ...common, ...sale, image_urls, price, is_auction: false }
  }
  const auction_end_date = new Date(Date.now() + auction.endsInMs).toISOString()
  return {
    ...common,
    image_urls,
    is_auction: true,
    starting_bid: auction.startingBid,
    buy_it_now_price: auction.buyNow,
    auction_end_date,
  }
}

async function placeBids(people: People, { demo, listing }: Placed): Promise<void> {
  const bidders = BIDDERS.filter((name) => name !== demo.seller)
  for (const [turn, amount] of (demo.auction?.bids ?? []).entries()) {
    if (!listing.is_active || amount * 100 <= (listing.current_bid ?? 0)) continue
    await people(bidders[turn % bidders.length] ?? 'alice').post('/api/bids', { listing_id: listing.id, amount })
  }
}

// A few at once and in their order, so that the newest on the page are a mixture.
async function inParallel<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))))
  }
  return results
}

async function isLively(url: string): Promise<boolean> {
  const soonest = await new MarketplaceClient(url).get<{ is_auction: boolean }[]>(
    '/api/listings?sort=ending-soon&limit=10',
  )
  return soonest.filter(({ is_auction }) => is_auction).length >= FEW_AUCTIONS
}

async function countListings(url: string): Promise<number> {
  const { headers } = await new MarketplaceClient(url).send('GET', '/api/listings?limit=1')
  return Number.parseInt(headers.get('x-total-count') ?? '0')
}

async function waitUntilListed(url: string, count: number): Promise<void> {
  const end = performance.now() + INDEXED_MS
  while ((await countListings(url)) < count && performance.now() < end) await sleep(100)
}
