import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSearchService } from './service.ts'
import { auctionEndingIn, makeListing } from './testing/listings.ts'
import { createHarness, type Harness } from './testing/harness.ts'

let harness: Harness
let service: Service
let bus: Bus

beforeAll(async () => {
  harness = await createHarness()
  service = createSearchService(harness.settings)
  await service.start()
  bus = await openBus(harness.settings, openLog('tests', 'silent'))
  await eventually(() => bus.isHealthy())
})
afterAll(async () => {
  await bus.close()
  await service.stop()
  await harness.close()
})

async function publishEvent<Desc extends DescMessage>(
  topic: string,
  key: string,
  schema: Desc,
  message: MessageInitShape<Desc>,
): Promise<void> {
  const payload = toJson(schema, create(schema, message))
  const occurredAt = new Date().toISOString()
  await bus.publish([
    { id: newId(), topic, key, type: schema.typeName, occurredAt, version: 1, traceparent: null, payload },
  ])
}

// Prometheus does not count the first event of a series that begins at 1.
it('exports the number of searches with and without results before the first search', async () => {
  const { body } = await service.internalApp.inject('/metrics')
  const missing = ['yes', 'no'].filter((found) => !body.includes(`\nsearch_searches_total{found="${found}"} `))
  expect(missing).toEqual([])
})

it('shows a new listing and its bid after their events arrive', async () => {
  const listing = makeListing(auctionEndingIn(600))
  await publishEvent(topics.catalog, listing.id, ListingCreatedSchema, { listing })
  await publishEvent(topics.auction, listing.id, BidPlacedSchema, {
    listingId: listing.id,
    amountCents: 9900,
    number: 2n,
  })
  await eventually(async () => {
    const { body } = await harness.browse({ search: 'lamp' })
    expect(body).toMatchObject([{ id: listing.id, current_bid: 9900 }])
    return true
  })
})
