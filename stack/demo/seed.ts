import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MarketplaceClient } from './client.ts'
import { demoConversations } from './conversations.ts'
import { readListings, type DemoListing } from './listings.ts'
import { buy, ownListings, signInAll, writeMessages, type Listing } from './person.ts'
import { detailFile, mainFile, withPhotographFiles } from './photograph-files.ts'
import { search } from './searches.ts'
import { uploadPhotograph } from './uploads.ts'

export interface SeedOptions {
  readonly url: string
  readonly dataDir: string
  readonly listings?: readonly DemoListing[]
}

interface PlacedListing {
  readonly demo: DemoListing
  readonly listing: Listing
}
type People = (name: string) => MarketplaceClient

const batchSize = 6
const demoBidders = ['alice', 'bob', 'carol', 'grace.okafor', 'hugo.moreau']
const indexTimeoutMs = 10_000
const minOpenAuctions = 6

/**
 * Creates the demo data through the public API. Adds what an interrupted start left out; leaves existing data
 * unchanged.
 */
export async function seedDemo({ url, dataDir, listings = readListings() }: SeedOptions): Promise<void> {
  const stamp = join(dataDir, 'demo-data')
  if (existsSync(stamp) && (await hasOpenAuctions(url))) return search(url)
  const people = await signInAll(url, [...demoBidders, ...listings.map(({ seller }) => seller)])
  const placed = await placeListings(url, people, listings)
  await inParallel(placed, (one) => placeBids(people, one))
  await inParallel(placed, async ({ demo, listing }) => demo.soldTo && buy(people(demo.soldTo), listing.id))
  await inParallel(demoConversations, async ({ about, buyer, lines }) => {
    const found = placed.find(({ demo }) => demo.title.startsWith(about))
    if (found) await writeMessages(people(buyer), people(found.demo.seller), found.listing, lines)
  })
  await waitUntilIndexed(url, placed.filter(({ demo }) => demo.soldTo === undefined).length)
  await search(url)
  writeFileSync(stamp, `${new Date().toISOString()}\n`)
}

async function placeListings(url: string, people: People, listings: readonly DemoListing[]): Promise<PlacedListing[]> {
  const sellers = [...new Set(listings.map(({ seller }) => seller))]
  const known = (await Promise.all(sellers.map((seller) => ownListings(people(seller))))).flat()
  const categories = await new MarketplaceClient(url).get<{ id: number; slug: string }[]>('/api/categories')
  // An auction that has ended is listed again, so that the demo always has open ones.
  const find = (demo: DemoListing) =>
    known.find(({ title, is_active }) => title === demo.title && (is_active || !demo.auction))
  const missing = listings.filter((demo) => find(demo) === undefined)
  return withPhotographFiles(missing, (folder) =>
    // In reverse order, so that the newest listings on the page follow the order of listings.txt.
    inParallel(listings.toReversed(), async (demo) => {
      const category_id = categories.find(({ slug }) => slug === demo.category)?.id
      const listing = find(demo) ?? (await placeListing(people(demo.seller), demo, { folder, category_id }))
      return { demo, listing }
    }),
  )
}

interface Place {
  readonly folder: string
  readonly category_id: number | undefined
}

async function placeListing(
  seller: MarketplaceClient,
  demo: DemoListing,
  { folder, category_id }: Place,
): Promise<Listing> {
  const files = [mainFile(folder, demo.photograph), ...(demo.detail ? [detailFile(folder, demo.photograph)] : [])]
  const ids = await Promise.all(files.map((file) => uploadPhotograph(seller, file)))
  return seller.post<Listing>('/api/listings', {
    ...toRequest(demo),
    category_id,
    pictures: ids.map((id) => ({ id, alt: '' })),
  })
}

function toRequest(demo: DemoListing) {
  const { title, description, condition, price, location, originalPrice, auction } = demo
  const common = { title, description, condition, location, shipping_cost: demo.shipping }
  if (!auction) {
    const sale = originalPrice === undefined ? {} : { is_on_sale: true, original_price: originalPrice }
    return { ...common, ...sale, price, is_auction: false }
  }
  const auction_end_date = new Date(Date.now() + auction.endsInMs).toISOString()
  return {
    ...common,
    is_auction: true,
    starting_bid: auction.startingBid,
    buy_it_now_price: auction.buyNow,
    auction_end_date,
  }
}

async function placeBids(people: People, { demo, listing }: PlacedListing): Promise<void> {
  const bidders = demoBidders.filter((name) => name !== demo.seller)
  for (const [turn, amount] of (demo.auction?.bids ?? []).entries()) {
    if (!listing.is_active || amount * 100 <= (listing.current_bid ?? 0)) continue
    await people(bidders[turn % bidders.length] ?? 'alice').post('/api/bids', { listing_id: listing.id, amount })
  }
}

// In batches and in order, so that the newest listings are a mixture.
async function inParallel<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  for (let start = 0; start < items.length; start += batchSize) {
    // Waits for all even when one fails, so that the next try finds what this one created.
    const settled = await Promise.allSettled(items.slice(start, start + batchSize).map(work))
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason
      results.push(result.value)
    }
  }
  return results
}

async function hasOpenAuctions(url: string): Promise<boolean> {
  const soonest = await new MarketplaceClient(url).get<{ is_auction: boolean }[]>(
    '/api/listings?sort=ending-soon&limit=10',
  )
  return soonest.filter(({ is_auction }) => is_auction).length >= minOpenAuctions
}

async function countListings(url: string): Promise<number> {
  const { headers } = await new MarketplaceClient(url).send('GET', '/api/listings?limit=1')
  return Number.parseInt(headers.get('x-total-count') ?? '0')
}

async function waitUntilIndexed(url: string, count: number): Promise<void> {
  const end = performance.now() + indexTimeoutMs
  while ((await countListings(url)) < count && performance.now() < end) await sleep(100)
}
