import { create } from '@bufbuild/protobuf'
import {
  AuctionSchema,
  AuctionService,
  type Auction,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { CatalogService, type Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import { startFakeRpc, type FakeRpc } from '@marketplace/testing/fake-rpc.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import type { Sources } from '../rebuild/rebuild-index.ts'
import { makeListing, type ListingChange } from './listings.ts'

/** What the catalog and the auction service know; it changes at once, the events are up to the test. */
export interface Known {
  listings: Map<string, Listing>
  bids: Map<string, Auction>
  /** Runs between reading and answering; may wait or throw. */
  before: { listings: () => Promise<void>; auctions: () => Promise<void> }
}

export interface FakeSources extends Known, Sources {
  catalogUrl: string
  auctionsUrl: string
  list(change?: ListingChange): Listing
  change(id: string, change: ListingChange): Listing
  view(id: string): Listing
  bid(id: string, amountCents: number): Auction
  stop(): Promise<void>
}

/** The catalog and the auction service by their contracts, in memory. */
export async function startFakeSources(): Promise<FakeSources> {
  const none = async () => undefined
  const known: Known = { listings: new Map(), bids: new Map(), before: { listings: none, auctions: none } }
  const catalog = await startFakeCatalog(known)
  const auctions = await startFakeAuctions(known)
  return {
    ...known,
    ...changesOf(known),
    catalogUrl: catalog.url,
    auctionsUrl: auctions.url,
    catalog: rpcClient(CatalogService, catalog.url, testSecret),
    auctions: rpcClient(AuctionService, auctions.url, testSecret),
    readListingsMs: 1000,
    readAuctionsMs: 1000,
    patienceMs: 10_000,
    stop: async () => void (await Promise.all([catalog.stop(), auctions.stop()])),
  }
}

function startFakeCatalog({ listings, before }: Known): Promise<FakeRpc> {
  return startFakeRpc((router) => {
    router.service(CatalogService, {
      async getListings({ afterId, pageSize }) {
        const all = [...listings.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
        const page = all.filter(({ id }) => id > afterId).slice(0, pageSize)
        await before.listings()
        return { listings: page }
      },
    })
  })
}

function startFakeAuctions({ bids, before }: Known): Promise<FakeRpc> {
  return startFakeRpc((router) => {
    router.service(AuctionService, {
      async getAuctions({ listingIds }) {
        const auctions = listingIds.flatMap((id) => bids.get(id) ?? [])
        await before.auctions()
        return { auctions }
      },
    })
  })
}

function changesOf({ listings, bids }: Known): Pick<FakeSources, 'list' | 'change' | 'view' | 'bid'> {
  function replace<Value>(values: Map<string, Value>, id: string, next: (old: Value) => Value): Value {
    const old = values.get(id)
    if (!old) throw new Error(`Nobody knows ${id}`)
    const value = next(old)
    values.set(id, value)
    return value
  }
  return {
    list(change) {
      const listing = makeListing(change)
      listings.set(listing.id, listing)
      if (listing.isAuction) bids.set(listing.id, create(AuctionSchema, { listingId: listing.id, number: 1n }))
      return listing
    },
    change: (id, change) => replace(listings, id, (old) => ({ ...old, ...change, version: old.version + 1n })),
    view: (id) => replace(listings, id, (old) => ({ ...old, viewCount: old.viewCount + 1 })),
    bid: (id, currentBidCents) => replace(bids, id, (old) => ({ ...old, currentBidCents, number: old.number + 1n })),
  }
}
