import { create, toJson } from '@bufbuild/protobuf'
import { BidPlacedSchema } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { ListingCreatedSchema } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus, type Bus, type BusEvent } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCatalogService } from './service.ts'
import { setStage, type Stage } from './testing/stage.ts'

let stage: Stage
let service: Service
let bus: Bus

beforeAll(async () => {
  stage = await setStage()
  service = createCatalogService(stage.settings)
  await service.start()
  bus = await openBus(stage.settings, openLog('tests', 'silent'))
  await eventually(() => bus.isHealthy())
})
afterAll(async () => {
  await bus.close()
  await service.stop()
  await stage.close()
})

it('tells a new listing to the others, and takes in what the auction service tells', async () => {
  const told: BusEvent[] = []
  await bus.tail({ topic: topics.catalog, since: new Date(), handler: (event) => void told.push(event) })
  const id = await stage.auction()
  const event = await eventually(() => told.find(({ key }) => key === id))
  expect(event).toMatchObject({ type: ListingCreatedSchema.typeName, version: 1 })

  const payload = toJson(BidPlacedSchema, create(BidPlacedSchema, { listingId: id, amountCents: 11_000, bidCount: 1 }))
  const occurredAt = new Date().toISOString()
  const type = BidPlacedSchema.typeName
  await bus.publish([
    { id: newId(), topic: topics.auction, key: id, type, occurredAt, version: 2, traceparent: null, payload },
  ])
  await eventually(async () => {
    const { body } = await stage.get<Record<string, unknown>[]>('/api/users/me/listings', stage.seller)
    return body[0]?.['current_bid'] === 11_000
  })
})
