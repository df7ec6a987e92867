import { create, toJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { SettleOutcome } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus, BusEvent } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCatalogService } from './service.ts'
import { createHarness, type Harness } from './testing/harness.ts'
import { holdListing } from './testing/life.ts'

let harness: Harness
let service: Service
let bus: Bus

beforeAll(async () => {
  harness = await createHarness()
  service = createCatalogService(harness.settings)
  await service.start()
  bus = await openBus(harness.settings, openLog('tests', 'silent'))
  await eventually(() => bus.isHealthy())
})
afterAll(async () => {
  await bus.close()
  await service.stop()
  await harness.close()
})

it('publishes a new listing and applies the events of the auction service', async () => {
  const events: BusEvent[] = []
  await bus.tail({ topic: topics.catalog, since: new Date(), handler: (event) => void events.push(event) })
  const id = await harness.createAuction()
  const event = await eventually(() => events.find(({ key }) => key === id))
  expect(event).toMatchObject({ type: ListingCreatedSchema.typeName, version: 1 })

  const payload = toJson(BidPlacedSchema, create(BidPlacedSchema, { listingId: id, amountCents: 11_000, bidCount: 1 }))
  const occurredAt = new Date().toISOString()
  const type = BidPlacedSchema.typeName
  await bus.publish([
    { id: newId(), topic: topics.auction, key: id, type, occurredAt, version: 2, traceparent: null, payload },
  ])
  await eventually(async () => {
    const { body } = await harness.get<Record<string, unknown>[]>('/api/users/me/listings', harness.seller)
    return body[0]?.['current_bid'] === 11_000
  })
})

it('exports the number of reserved listings', async () => {
  const readMetric = async () => {
    const { body } = await service.internalApp.inject('/metrics')
    return /^catalog_reserved_listings (.+)$/m.exec(body)?.[1]
  }
  const [listingId, auctionId] = [await harness.createListing(), await harness.createAuction()]
  expect(await readMetric()).toBe('0')

  const held = await holdListing(harness, listingId)
  expect(await readMetric()).toBe('1')
  const now = timestampFromDate(new Date())
  const won = { outcome: AuctionOutcome.WON, saleId: newId(), winnerId: newId(), closedAt: now, dueAt: now }
  await harness.applyEvent(AuctionClosedSchema, { listingId: auctionId, number: 5n, bidCount: 1, ...won })
  expect(await readMetric()).toBe('2')

  const saleId = 'saleId' in held ? held.saleId : ''
  await harness.sales.settle({ saleId, listingId, outcome: SettleOutcome.SOLD })
  expect(await readMetric()).toBe('1')
})

// Prometheus does not count the first event of a series that begins at 1.
it('exports the calls and errors of the picture store for each operation before the first one', async () => {
  const { body } = await service.internalApp.inject('/metrics')
  const series = ['head', 'read', 'write', 'remove', 'list'].flatMap((operation) =>
    ['calls', 'errors'].map((counted) => `catalog_picture_store_${counted}_total{operation="${operation}"} `),
  )
  expect(series.filter((start) => !body.includes(`\n${start}`))).toEqual([])
})
