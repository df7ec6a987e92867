import {
  AuctionClosedSchema,
  AuctionEndedSchema,
  AuctionOutcome,
} from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishBid, publishEvent } from '../testing/auction-events.ts'
import { openAuction, serveAuction, type FakeAuction } from '../testing/fake-auction.ts'
import { openEventStream, type EventStream } from '../testing/event-stream.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let database: TestDatabase
let bus: Bus
let harness: Harness
const open: EventStream[] = []

const { auction_end_date: endsAt } = openAuction

beforeAll(async () => {
  database = await testDatabase()
  bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  harness = await createHarness({
    BUS_DATABASE_URL: database.busUrl,
    STREAM_HEARTBEAT_MS: 100,
  })
})

beforeEach(() => {
  harness.upstreams.catalog.received.length = 0
  serve({})
})

afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

afterAll(async () => {
  await harness.stop()
  await bus.close()
  await database.drop()
})

const serve = (fields: Partial<FakeAuction>) => serveAuction(harness, fields)

async function subscribe(
  id: string,
  headers: Record<string, string> = {},
  on: Harness = harness,
): Promise<EventStream> {
  const stream = await openEventStream(on.port, `/api/auctions/${id}/stream`, headers)
  open.push(stream)
  return stream
}

const bid = (listingId: string, count: number) => publishBid(bus, listingId, count)

const close = (listingId: string, number: number) =>
  publishEvent(bus, listingId, [
    AuctionClosedSchema,
    { listingId, outcome: AuctionOutcome.WON, number: BigInt(number) },
  ])

const numbers = ({ events }: EventStream) => events.map(({ data }) => data['number'])

describe('the live stream of an auction', () => {
  it('sends the current state, then each change, also to signed-out clients', async () => {
    const id = newId()
    serve({ current_bid: 1300, bid_count: 3 })
    const stream = await subscribe(id)
    await eventually(() => stream.events.length === 1)
    await bid(id, 4)
    await eventually(() => stream.events.length === 2)

    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const state = {
      listing_id: id,
      auction_end_date: endsAt,
      is_active: true,
      server_time: expect.stringMatching(/Z$/),
      bids: expect.any(Array),
    }
    expect(stream.events.map(({ id, data }) => ({ id, data }))).toEqual([
      { id: '3', data: { ...state, current_bid: 1300, bid_count: 3, number: 3 } },
      { id: '4', data: { ...state, current_bid: 1400, bid_count: 4, number: 4 } },
    ])
  })

  it('reads the listing without a viewer or an address, so that no view is counted', async () => {
    await subscribe(newId(), { 'x-viewer-id': newId() })

    const headers = harness.upstreams.catalog.received[0]?.headers ?? {}
    expect(harness.upstreams.catalog.received.length).toBe(1)
    expect([headers['x-viewer-id'], headers['x-forwarded-for'], headers.cookie]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('sends at most four states per second, in increasing order, and the latest state last', async () => {
    const id = newId()
    const stream = await subscribe(id)
    for (let count = 1; count <= 40; count += 1) await bid(id, count)
    // A duplicate that is delivered out of order.
    await bid(id, 7)
    await eventually(() => numbers(stream).at(-1) === 40)

    // Compares counts, because a client may read two events together that were sent 250 ms apart.
    expect(stream.events.length).toBeLessThanOrEqual((stream.events.at(-1)?.afterMs ?? 0) / 250 + 1)
    const received = numbers(stream)
    expect(received).toEqual([...new Set(received)].toSorted((a, b) => Number(a) - Number(b)))
  })

  it('includes a bid that arrives while the listing is read, and sends no older state', async () => {
    const id = newId()
    const reading = Promise.withResolvers<void>()
    harness.upstreams.catalog.respond = async () => {
      await reading.promise
      return { ...openAuction, id, current_bid: 1100, bid_count: 1 }
    }
    const opening = subscribe(id)
    await eventually(() => harness.upstreams.catalog.received.length === 1)
    await bid(id, 2)
    // Events of a partition arrive in order, so the first bid has been applied when this one has.
    const other = newId()
    serve({})
    const otherStream = await subscribe(other)
    await bid(other, 1)
    await eventually(() => numbers(otherStream).includes(1))
    reading.resolve()
    const stream = await opening
    await eventually(() => numbers(stream).includes(2))

    expect(numbers(stream)).not.toContain(0)
    expect(stream.events.at(-1)?.data).toMatchObject({ current_bid: 1200, bid_count: 2 })
  })

  it.each([
    ['closed', (id: string) => close(id, 3)],
    [
      'ended during an open checkout',
      (id: string) => publishEvent(bus, id, [AuctionEndedSchema, { listingId: id, saleId: newId(), number: 3n }]),
    ],
  ])('sends the final state and ends when the auction is %s', async (_how, end) => {
    const id = newId()
    serve({ current_bid: 1200, bid_count: 2 })
    const stream = await subscribe(id)
    await eventually(() => stream.events.length === 1)
    await end(id)
    await eventually(() => stream.isEnded)

    expect(stream.events.map(({ data }) => [data['is_active'], data['bid_count'], data['number']])).toEqual([
      [true, 2, 2],
      [false, 2, 3],
    ])
  })

  it('sends a bid that was placed in time and is published just after the end', async () => {
    const id = newId()
    const patient = await createHarness({ BUS_DATABASE_URL: database.busUrl, STREAM_CLOSE_DELAY_MS: 120_000 })
    serveAuction(patient, { current_bid: 1200, bid_count: 2, is_active: false })
    const stream = await subscribe(id, {}, patient)
    await eventually(() => stream.events.length === 1)
    // Sent again until the gateway reads the bus: a state is sent once, however often its event arrives.
    await eventually(async () => {
      await bid(id, 3)
      return stream.events.length > 1
    })
    await patient.stop()

    expect(stream.events.map(({ data }) => [data['is_active'], data['bid_count']])).toEqual([
      [false, 2],
      [false, 3],
    ])
  })

  it('continues after the client’s last event, and sends no older state', async () => {
    const id = newId()
    serve({ current_bid: 1200, bid_count: 2 })
    const stream = await subscribe(id, { 'last-event-id': '5' })
    await bid(id, 4)
    await bid(id, 6)
    await eventually(() => stream.events.length > 0)
    serve({ current_bid: 1600, bid_count: 6, is_active: false })
    const over = await subscribe(id, { 'last-event-id': '7-over' })

    expect(numbers(stream)).toEqual([6])
    expect([over.status, over.headers['content-type']]).toEqual([204, undefined])
  })

  it('sends the end to a client that was disconnected when it happened', async () => {
    serve({ current_bid: 1200, bid_count: 2 })
    const id = newId()
    const before = await subscribe(id)
    await eventually(() => before.events.length > 0)
    before.close()
    serve({ current_bid: 1200, bid_count: 2, is_active: false })
    const after = await subscribe(id, { 'last-event-id': before.events[0]?.id ?? '' })
    await eventually(() => after.isEnded)
    const again = await subscribe(id, { 'last-event-id': after.events[0]?.id ?? '' })

    expect(after.events.map(({ data }) => data['is_active'])).toEqual([false])
    expect(again.status).toBe(204)
  })

  it('sends heartbeats while the state does not change', async () => {
    const stream = await subscribe(newId())

    expect(await eventually(() => stream.comments > 2)).toBe(true)
    expect(stream.events.length).toBe(1)
  })
})

describe('a gateway that shuts down', () => {
  it('ends its streams, so that clients reconnect to another gateway', async () => {
    const leaving = await createHarness({ BUS_DATABASE_URL: database.busUrl })
    serveAuction(leaving)
    const stream = await subscribe(newId(), {}, leaving)
    await leaving.stop()

    expect(await eventually(() => stream.isEnded)).toBe(true)
    expect(stream.events.length).toBe(1)
  })

  it('responds with 503 to a stream whose auction it is still reading', async () => {
    const leaving = await createHarness({ BUS_DATABASE_URL: database.busUrl })
    const reading = Promise.withResolvers<void>()
    leaving.upstreams.catalog.respond = async ({ url }) => {
      await reading.promise
      return { ...openAuction, id: url.split('/').at(-1) }
    }
    const opening = subscribe(newId(), {}, leaving)
    await eventually(() => leaving.upstreams.catalog.received.length === 1)
    const stopped = leaving.stop()
    await eventually(() => !leaving.gateway.publicApp.server.listening)
    reading.resolve()
    const refused = await opening
    // An open stream would delay the shutdown.
    refused.close()
    await stopped

    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  })
})
