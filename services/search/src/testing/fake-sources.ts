import { create } from '@bufbuild/protobuf'
import {
  AuctionSchema,
  AuctionService,
  type Auction,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { CatalogService, type Listing } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import { startFakeRpc, type FakeRpc } from '@marketplace/testing/fake-rpc.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import type { Sources } from '../rebuild/rebuild-index.ts'
import { makeListing, type ListingChange } from './listings.ts'

/**
 * Data of the fake catalog and auction services. A change is visible to RPC calls at once. The test itself applies the
 * event of the change.
 */
export interface SourceState {
  listings: Map<string, Listing>
  bids: Map<string, Auction>
  /** Runs in each RPC call between reading the data and responding. The function may wait or throw. */
  before: { listings: () => Promise<void>; auctions: () => Promise<void> }
}

export interface FakeSources extends SourceState, Sources {
  catalogUrl: string
  auctionsUrl: string
  createListing(change?: ListingChange): Listing
  changeListing(id: string, change: ListingChange): Listing
  addView(id: string): Listing
  placeBid(id: string, amountCents: number): Auction
  stop(): Promise<void>
}

/** Starts in-memory fakes of the catalog and auction RPC services. */
export async function startFakeSources(): Promise<FakeSources> {
  const none = async () => undefined
  const state: SourceState = { listings: new Map(), bids: new Map(), before: { listings: none, auctions: none } }
  const catalog = await startFakeCatalog(state)
  const auctions = await startFakeAuctions(state)
  return {
    ...state,
    ...changesOf(state),
    catalogUrl: catalog.url,
    auctionsUrl: auctions.url,
    catalog: rpcClient(CatalogService, catalog.url, testSecret),
    auctions: rpcClient(AuctionService, auctions.url, testSecret),
    listingsTimeoutMs: 1000,
    auctionsTimeoutMs: 1000,
    retryTimeoutMs: 10_000,
    stop: async () => void (await Promise.all([catalog.stop(), auctions.stop()])),
  }
}

function startFakeCatalog({ listings, before }: SourceState): Promise<FakeRpc> {
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

function startFakeAuctions({ bids, before }: SourceState): Promise<FakeRpc> {
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

type Changes = Pick<FakeSources, 'createListing' | 'changeListing' | 'addView' | 'placeBid'>

function changesOf({ listings, bids }: SourceState): Changes {
  function replace<Value>(values: Map<string, Value>, id: string, next: (old: Value) => Value): Value {
    const old = values.get(id)
    if (!old) throw new Error(`No listing has the id ${id}.`)
    const value = next(old)
    values.set(id, value)
    return value
  }
  return {
    createListing(change) {
      const listing = makeListing(change)
      listings.set(listing.id, listing)
      if (listing.isAuction) bids.set(listing.id, create(AuctionSchema, { listingId: listing.id, number: 1n }))
      return listing
    },
    changeListing: (id, change) => replace(listings, id, (old) => ({ ...old, ...change, version: old.version + 1n })),
    addView: (id) => replace(listings, id, (old) => ({ ...old, viewCount: old.viewCount + 1 })),
    placeBid: (id, currentBidCents) =>
      replace(bids, id, (old) => ({ ...old, currentBidCents, number: old.number + 1n })),
  }
}
