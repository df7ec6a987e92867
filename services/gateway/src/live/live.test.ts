import { create, toJson, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  AuctionOutcome,
  BidPlacedSchema,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { openBus, type Bus } from '@marketplace/kit/bus.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAuction, serveAuction, type FakeAuction } from '../testing/fake-auction.ts'
import { listen, type Listening } from '../testing/listen.ts'
import { startStage, type Stage } from '../testing/stage.ts'

let database: TestDatabase
let bus: Bus
let stage: Stage
const open: Listening[] = []

const { auction_end_date: endsAt } = openAuction

beforeAll(async () => {
  database = await testDatabase()
  bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  stage = await startStage({
    BUS_DATABASE_URL: database.busUrl,
    STREAM_HEARTBEAT_MS: 100,
  })
})

beforeEach(() => {
  stage.upstreams.catalog.seen.length = 0
  serve({})
})

afterEach(() => {
  for (const heard of open.splice(0)) heard.close()
})

afterAll(async () => {
  await stage.stop()
  await bus.close()
  await database.drop()
})

const serve = (given: Partial<FakeAuction>) => serveAuction(stage, given)

async function watch(id: string, headers: Record<string, string> = {}, on: Stage = stage): Promise<Listening> {
  const heard = await listen(on.port, `/api/auctions/${id}/stream`, headers)
  open.push(heard)
  return heard
}

async function publish<Schema extends DescMessage>(
  listingId: string,
  schema: Schema,
  message: MessageInitShape<Schema>,
): Promise<void> {
  const event = {
    id: newId(),
    topic: topics.auction,
    key: listingId,
    type: schema.typeName,
    occurredAt: new Date().toISOString(),
    version: 1,
    traceparent: null,
    payload: toJson(schema, create(schema, message)),
  }
  await bus.publish([event])
}

const bid = (listingId: string, count: number) =>
  publish(listingId, BidPlacedSchema, {
    listingId,
    amountCents: 1000 + count * 100,
    bidCount: count,
    number: BigInt(count),
    endAt: timestampFromDate(new Date(endsAt)),
  })

const close = (listingId: string, number: number) =>
  publish(listingId, AuctionClosedSchema, { listingId, outcome: AuctionOutcome.WON, number: BigInt(number) })

const numbers = ({ events }: Listening) => events.map(({ data }) => data['number'])

describe('the live stream of an auction', () => {
  it('begins with the auction as it is and brings each change, to everybody signed out too', async () => {
    const id = newId()
    serve({ current_bid: 1300, bid_count: 3 })
    const heard = await watch(id)
    await eventually(() => heard.events.length === 1)
    await bid(id, 4)
    await eventually(() => heard.events.length === 2)

    expect(heard.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const state = {
      listing_id: id,
      auction_end_date: endsAt,
      is_active: true,
      server_time: expect.stringMatching(/Z$/),
    }
    expect(heard.events.map(({ id, data }) => ({ id, data }))).toEqual([
      { id: '3', data: { ...state, current_bid: 1300, bid_count: 3, number: 3 } },
      { id: '4', data: { ...state, current_bid: 1400, bid_count: 4, number: 4 } },
    ])
  })

  it('counts no view for it: catalog hears of no viewer and no address', async () => {
    await watch(newId(), { 'x-viewer-id': newId() })

    const headers = stage.upstreams.catalog.seen[0]?.headers ?? {}
    expect(stage.upstreams.catalog.seen.length).toBe(1)
    expect([headers['x-viewer-id'], headers['x-forwarded-for'], headers.cookie]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('sends at most four states a second, always the newest, and never an older one after a newer', async () => {
    const id = newId()
    const heard = await watch(id)
    for (let count = 1; count <= 40; count += 1) await bid(id, count)
    // Delivered again, out of order.
    await bid(id, 7)
    await eventually(() => numbers(heard).at(-1) === 40)

    // Counted, since two that were sent 250 ms apart may be read at once.
    expect(heard.events.length).toBeLessThanOrEqual((heard.events.at(-1)?.afterMs ?? 0) / 250 + 1)
    const seen = numbers(heard)
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => Number(a) - Number(b)))
  })

  it('misses no bid that comes while the listing is being read, and believes no older reading', async () => {
    const id = newId()
    const reading = Promise.withResolvers<void>()
    stage.upstreams.catalog.answer = async () => {
      await reading.promise
      return { ...openAuction, id, current_bid: 1100, bid_count: 1 }
    }
    const opening = watch(id)
    await eventually(() => stage.upstreams.catalog.seen.length === 1)
    await bid(id, 2)
    // Told once a later event of the same part was.
    const other = newId()
    serve({})
    const beside = await watch(other)
    await bid(other, 1)
    await eventually(() => numbers(beside).includes(1))
    reading.resolve()
    const heard = await opening
    await eventually(() => numbers(heard).includes(2))

    expect(numbers(heard)).not.toContain(0)
    expect(heard.events.at(-1)?.data).toMatchObject({ current_bid: 1200, bid_count: 2 })
  })

  it.each([
    ['closed', (id: string) => close(id, 3)],
    [
      'ended under an open checkout',
      (id: string) => publish(id, AuctionEndedSchema, { listingId: id, saleId: newId(), number: 3n }),
    ],
  ])('says that the auction is over once it is %s, and ends', async (_how, end) => {
    const id = newId()
    serve({ current_bid: 1200, bid_count: 2 })
    const heard = await watch(id)
    await eventually(() => heard.events.length === 1)
    await end(id)
    await eventually(() => heard.isEnded)

    expect(heard.events.map(({ data }) => [data['is_active'], data['bid_count'], data['number']])).toEqual([
      [true, 2, 2],
      [false, 2, 3],
    ])
  })

  it('brings a bid in time that becomes known just after the end', async () => {
    const id = newId()
    serve({ current_bid: 1200, bid_count: 2, is_active: false })
    const heard = await watch(id)
    await eventually(() => heard.events.length === 1)
    await bid(id, 3)
    await eventually(() => heard.isEnded)

    expect(heard.events.map(({ data }) => [data['is_active'], data['bid_count']])).toEqual([
      [false, 2],
      [false, 3],
    ])
  })

  it('goes on where the client was, and tells it nothing older', async () => {
    const id = newId()
    serve({ current_bid: 1200, bid_count: 2 })
    const heard = await watch(id, { 'last-event-id': '5' })
    await bid(id, 4)
    await bid(id, 6)
    await eventually(() => heard.events.length > 0)
    serve({ current_bid: 1600, bid_count: 6, is_active: false })
    const over = await watch(id, { 'last-event-id': '7-over' })

    expect(numbers(heard)).toEqual([6])
    expect([over.status, over.headers['content-type']]).toEqual([204, undefined])
  })

  it('tells of the end whoever was away when it came', async () => {
    serve({ current_bid: 1200, bid_count: 2 })
    const id = newId()
    const before = await watch(id)
    await eventually(() => before.events.length > 0)
    before.close()
    serve({ current_bid: 1200, bid_count: 2, is_active: false })
    const after = await watch(id, { 'last-event-id': before.events[0]?.id ?? '' })
    await eventually(() => after.isEnded)
    const again = await watch(id, { 'last-event-id': after.events[0]?.id ?? '' })

    expect(after.events.map(({ data }) => data['is_active'])).toEqual([false])
    expect(again.status).toBe(204)
  })

  it('beats while nothing happens', async () => {
    const heard = await watch(newId())

    expect(await eventually(() => heard.comments > 2)).toBe(true)
    expect(heard.events.length).toBe(1)
  })
})

describe('a gateway that is told to stop', () => {
  it('ends the streams, so that their clients go elsewhere', async () => {
    const leaving = await startStage({ BUS_DATABASE_URL: database.busUrl })
    serveAuction(leaving)
    const heard = await watch(newId(), {}, leaving)
    await leaving.stop()

    expect(await eventually(() => heard.isEnded)).toBe(true)
    expect(heard.events.length).toBe(1)
  })
})
