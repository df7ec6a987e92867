import { openBus } from '@marketplace/bus/open-bus.ts'
import type { Bus } from '@marketplace/kit/events/bus.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishBid } from '../testing/auction-events.ts'
import { bidHistory, serveAuction } from '../testing/fake-auction.ts'
import { openEventStream, type EventStream } from '../testing/event-stream.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let database: TestDatabase
let bus: Bus
let harness: Harness
const open: EventStream[] = []

beforeAll(async () => {
  database = await testDatabase()
  bus = await openBus({ BUS_DATABASE_URL: database.busUrl }, openLog('test', 'silent'))
  await eventually(() => bus.isHealthy())
  harness = await createHarness({ BUS_DATABASE_URL: database.busUrl })
})

beforeEach(() => {
  harness.upstreams.auction.received.length = 0
})

afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

afterAll(async () => {
  await harness.stop()
  await bus.close()
  await database.drop()
})

async function subscribe(id: string): Promise<EventStream> {
  const stream = await openEventStream(harness.port, `/api/auctions/${id}/stream`)
  open.push(stream)
  await eventually(() => stream.events.length > 0)
  return stream
}

/** Serves an auction with this many bids. Returns the ids of the bids, newest first. */
function serveBids(count: number, bids = bidHistory(count)): string[] {
  const price = count === 0 ? null : 1000 + count * 100
  // A service of the previous version ignores `limit` and returns all bids.
  serveAuction(harness, { current_bid: price, bid_count: count }, bids)
  return bids.map(({ id }) => id)
}

const lastBids = ({ events }: EventStream) => {
  const bids = events.at(-1)?.data['bids']
  return Array.isArray(bids) ? bids : []
}
const idsOf = (stream: EventStream): unknown[] => lastBids(stream).map(({ id }) => id)
const reads = () => harness.upstreams.auction.received.map(({ url }) => url)

describe('the newest bids in a live stream', () => {
  it('are the first five lines of the history, read once for all subscribers', async () => {
    const id = newId()
    const ids = serveBids(7)
    const [stream, other] = [await subscribe(id), await subscribe(id)]

    expect(idsOf(stream)).toEqual(ids.slice(0, 5))
    expect(lastBids(other)).toEqual(lastBids(stream))
    expect(lastBids(stream)[0]).toEqual({
      id: ids[0],
      amount: 1700,
      created_at: expect.stringMatching(/Z$/),
      bidder: 'a***e',
    })
    expect(reads()).toEqual([`/api/auctions/${id}/bids?limit=5`])
  })

  it('come from the events of 30 bids, without a read', async () => {
    const id = newId()
    serveBids(0)
    const stream = await subscribe(id)
    const placed: string[] = []
    for (let count = 1; count <= 30; count += 1) placed.push(await publishBid(bus, id, count))
    await eventually(() => stream.events.at(-1)?.data['number'] === 30)

    expect(idsOf(stream)).toEqual(placed.slice(-5).toReversed())
    expect(reads()).toEqual([])
  })

  it('are read while events have no masked bidder', async () => {
    const id = newId()
    const bids = bidHistory(2)
    serveBids(1, bids.slice(1))
    const stream = await subscribe(id)
    const ids = serveBids(2, bids)
    await publishBid(bus, id, 2, '')
    await eventually(() => stream.events.at(-1)?.data['number'] === 2)

    expect(idsOf(stream)).toEqual(ids)
    const placed = await publishBid(bus, id, 3)
    await eventually(() => stream.events.at(-1)?.data['number'] === 3)
    expect(idsOf(stream)).toEqual([placed, ...ids])
    expect(reads()).toHaveLength(2)
  })

  it('are left out while the auction service fails, and complete again after the next bid', async () => {
    const id = newId()
    const ids = serveBids(2)
    const respond = harness.upstreams.auction.respond
    harness.upstreams.auction.respond = (_request, reply) => reply.code(500).send({})
    const stream = await subscribe(id)
    expect(stream.events[0]?.data).toMatchObject({ current_bid: 1200, bid_count: 2, bids: [] })
    harness.upstreams.auction.respond = respond
    const placed = await publishBid(bus, id, 3)
    await eventually(() => stream.events.at(-1)?.data['number'] === 3)

    expect(idsOf(stream)).toEqual([placed, ...ids])
  })

  it('fit in a state of 1.5 kB whatever the names', async () => {
    const id = newId()
    // One character of a name: a letter with 200 accents.
    const letter = `a${'\u0301'.repeat(200)}`
    serveBids(4, bidHistory(4, `${letter}***"${letter}`))
    const stream = await subscribe(id)
    await publishBid(bus, id, 5, `${'👩‍👩‍👧‍👦'.repeat(40)}***z`)
    await eventually(() => stream.events.at(-1)?.data['number'] === 5)

    const state = stream.events.at(-1)?.data
    expect(lastBids(stream).map(({ bidder }) => bidder)).toEqual(['👩***z', ...Array<string>(4).fill('a***"')])
    expect(Buffer.byteLength(JSON.stringify(state))).toBeLessThanOrEqual(1500)
  })
})
