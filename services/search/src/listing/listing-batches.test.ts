import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import {
  ListingChangedSchema,
  ListingCreatedSchema,
  ListingViewedSchema,
  type Listing,
} from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { applyBatch, deliver, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'
import { auctionEndingIn, makeListing } from '../testing/listings.ts'
import { shuffled } from '../testing/shuffled.ts'
import { listingIndex } from './listing-index.consumer.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

const ofListing = (schema: typeof ListingCreatedSchema | typeof ListingChangedSchema, listing: Listing) => ({
  ...upstreamEvent(topics.catalog, schema, { listing }, listing.id),
  version: Number(listing.version),
})
const created = (listing: Listing) => ofListing(ListingCreatedSchema, listing)
const changed = (listing: Listing) => ofListing(ListingChangedSchema, listing)
const viewed = (listingId: string, viewCount: number) => ({
  ...upstreamEvent(topics.catalog, ListingViewedSchema, { listingId, viewCount }, listingId),
  version: viewCount,
})
const bid = (listingId: string, amountCents: number) =>
  upstreamEvent(topics.auction, BidPlacedSchema, { listingId, amountCents, number: BigInt(amountCents) }, listingId)

const auctions = (count: number) => Array.from({ length: count }, () => makeListing(auctionEndingIn(600)))
const ended = (listing: Listing): Listing => ({ ...listing, isActive: false, version: 2n })

async function contents() {
  const read = (table: string, id: string) =>
    harness.query(`select to_jsonb(t) - array['told_at', 'synced_at'] as row from ${table} as t order by ${id}`)
  return {
    listings: await read('listings', 'id'),
    words: await read('listing_words', 'listing_id'),
    missingLexemes: await harness.query(
      `select word from listing_words, unnest(tsvector_to_array(words)) as word
       where word not like ' %' and not exists (select from lexemes where lexeme = word)`,
    ),
    bids: await read('bids', 'listing_id'),
    views: await read('views', 'listing_id'),
  }
}

/** Returns 40 events in the order of a bus that delivers some late and some twice: newer versions come before older ones. */
function randomEvents(): BusEvent[] {
  const listings = [makeListing(), makeListing(), ...auctions(2)]
  const events = listings.flatMap((listing, index) => [
    created(listing),
    changed({ ...listing, title: `A silver watch ${index}`, viewCount: 9, version: 2n }),
    changed({ ...listing, title: `A golden ring ${index}`, viewCount: 4, version: 3n }),
    ...(index % 2 ? [changed({ ...listing, isActive: false, version: 4n })] : []),
    viewed(listing.id, 12),
    viewed(listing.id, 3),
    ...(listing.isAuction ? [bid(listing.id, 5000), bid(listing.id, 6000)] : []),
  ])
  return shuffled([...events, ...events.slice(0, 8)])
}

describe('the index, from a batch of events', () => {
  // Fails if latestVersions returns the last instead of the newest version, or not the largest view count.
  it('is the same as from the events one after the other, with duplicates and older versions after newer ones', async () => {
    for (let round = 0; round < 20; round += 1) {
      const events = randomEvents()
      await applyBatch(harness.db, listingIndex, events)
      const batched = await contents()
      expect(batched.missingLexemes).toEqual([])
      await harness.query('truncate listings, bids, views, listing_words')
      for (const event of events) await applyBatch(harness.db, listingIndex, [event])
      expect(await contents()).toEqual(batched)
      await harness.query('truncate listings, bids, views, listing_words, vocabulary, lexemes')
    }
  })

  it('no longer shows 3,000 auctions that ended at once, after few transactions', async () => {
    const listings = auctions(3000)
    await deliver(harness, [listingIndex, listings.map(created)])
    expect((await harness.browse({ limit: '1' })).total).toBe('3000')
    const batches = await deliver(harness, [listingIndex, listings.map((listing) => changed(ended(listing)))])
    expect(batches).toBeLessThanOrEqual(3000 / 50)
    const [transactions] = await harness.query('select count(distinct xmin::text)::int as count from listings')
    expect(transactions?.['count']).toBeLessThanOrEqual(batches)
    expect((await harness.browse({ limit: '1' })).total).toBe('0')
    expect(await harness.query('select from listing_words')).toEqual([])
  })

  it('is written once when the consumer dies between its commit and its acknowledgement', async () => {
    const listings = auctions(40)
    const events = [...listings.map(created), ...listings.map((listing) => bid(listing.id, 5000))]
    const batches = await deliver(harness, [listingIndex, events], { isAcknowledgementLost: true })
    expect(batches).toBeGreaterThan(1)
    const { body } = await harness.browse({ limit: '100' })
    expect(body.map(({ current_bid }) => current_bid)).toEqual(Array(40).fill(5000))
    expect(await harness.query('select from parked')).toEqual([])
  })

  // Fails without an `order by` of upsertListings, upsertWords or lockCurrentBids: Postgres ends a transaction as a deadlock.
  it('is complete after 20 concurrent batches in different orders and with the same new words', async () => {
    const listings = auctions(60)
    const words = Array.from({ length: 60 }, () => `w${newId().replaceAll('-', '')}`)
    const titled = (order: readonly Listing[]) =>
      order.map((listing, index) => ({ ...listing, title: `A ${words[index] ?? ''}` }))
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const order = index % 2 ? listings : listings.toReversed()
        const own = titled(auctions(60)).map(created)
        return applyBatch(harness.db, listingIndex, [
          ...(index % 4 < 2 ? own : own.toReversed()),
          ...order.map(created),
        ])
      }),
    )
    const [count] = await harness.query('select count(*)::int as count from listing_words')
    expect(count?.['count']).toBe(21 * 60)
  })
})
