import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { startUpstreamEvents, type UpstreamEvents } from '../testing/upstream-events.ts'

let harness: Harness
let upstream: UpstreamEvents

beforeAll(async () => {
  harness = await createHarness()
  upstream = await startUpstreamEvents(harness)
})
afterAll(async () => {
  await upstream.close()
  await harness.close()
})

describe('ListingCreated', () => {
  it('stores a fixed-price listing and ignores an auction', async () => {
    const fixed = newId()
    const auction = newId()
    const listing = { sellerId: harness.seller.userId, title: 'A lamp' }
    const publish = (id: string, isAuction: boolean) =>
      upstream.publish(topics.catalog, ListingCreatedSchema, { listing: { ...listing, id, isAuction } })
    await publish(auction, true)
    await publish(fixed, false)
    await eventually(async () => (await harness.bid(fixed, 150)).status === 409)
    expect((await harness.bid(auction, 150)).status).toBe(404)
  })
})
