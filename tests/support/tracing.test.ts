import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import { startStack, type Stack } from '@marketplace/stack/launcher/stack.ts'
import { startCollector, type CollectedSpan, type Collector } from './collector.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-tracing-'))
const projection = 'apply marketplace.auction.v1.BidPlaced'

describe('traces of a running marketplace', () => {
  let collector: Collector
  let stack: Stack
  let listingId: string
  beforeAll(async () => {
    collector = await startCollector()
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    stack = await startStack({
      port: 0,
      dataDir,
      durable: false,
      only: ['users', 'catalog', 'auction', 'search', 'gateway', 'identity'],
      env: { users: traced, catalog: traced, auction: traced, search: traced, gateway: traced },
    })
    const alice = await MarketplaceClient.signIn(stack.url, 'alice@example.com')
    const auction = { title: 'A brass lamp', category_id: 7, is_auction: true, starting_bid: 10 }
    const auction_end_date = new Date(Date.now() + 3_600_000).toISOString()
    listingId = (await alice.post<{ id: string }>('/api/listings', { ...auction, auction_end_date })).id
  })
  afterAll(async () => {
    await stack.stop()
    await collector.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function bid(bidder: MarketplaceClient, amount: number) {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
    const response = await fetch(`${stack.url}/api/bids`, {
      method: 'POST',
      headers: {
        cookie: bidder.cookieHeader(),
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${spanId}-01`,
      },
      body: JSON.stringify({ listing_id: listingId, amount }),
    })
    return { status: response.status, traceId, spanId }
  }

  // Follows the parent spans from the one that applied the event up to the first that no service recorded.
  function wayTo(traceId: string): string[] {
    const spans = new Map(collector.spans.filter((span) => span.traceId === traceId).map((span) => [span.spanId, span]))
    const way: string[] = []
    let at: CollectedSpan | undefined = [...spans.values()].find(
      ({ service, name }) => service === 'search' && name === projection,
    )
    while (at) {
      way.unshift(`${at.service}: ${at.name}`)
      at = spans.get(at.parentSpanId ?? '') ?? void (at.parentSpanId && way.unshift(at.parentSpanId))
    }
    return way
  }

  it('connect a browser’s bid with gateway, auction and the search index in one trace', async () => {
    const bob = await MarketplaceClient.signIn(stack.url, 'bob@example.com')
    const { status, traceId, spanId } = await bid(bob, 20)
    expect(status).toBe(201)
    await eventually(() => wayTo(traceId).length === 4)
    expect(wayTo(traceId)).toEqual([
      spanId,
      'gateway: POST /api/bids',
      'auction: POST /api/bids',
      `search: ${projection}`,
    ])
    const isTracedIn = (service: string) =>
      collector.spans.some((span) => span.traceId === traceId && span.service === service)
    expect(await eventually(() => isTracedIn('catalog'))).toBe(true)
  })

  it('keep bids of one batch in separate traces', async () => {
    const bob = await MarketplaceClient.signIn(stack.url, 'bob@example.com')
    const bids = await Promise.all(Array.from({ length: 8 }, (_, place) => bid(bob, 30 + place)))
    const accepted = bids.filter(({ status }) => status === 201)
    expect(accepted.length).toBeGreaterThan(0)
    await eventually(() => accepted.every(({ traceId }) => wayTo(traceId).length === 4))
    expect(accepted.map(({ traceId }) => wayTo(traceId)[0])).toEqual(accepted.map(({ spanId }) => spanId))
  })

  it('contain internal calls and SQL statements, without parameter values', async () => {
    const named = (service: string, name: string) =>
      collector.spans.some((span) => span.service === service && span.name === name)
    await eventually(() => named('catalog', 'marketplace.auction.v1.AuctionService/OpenAuction'))
    await eventually(() => named('auction', 'POST /marketplace.auction.v1.AuctionService/OpenAuction'))
    await eventually(() => named('auction', 'select'))
    const statements = collector.spans
      .map(({ attributes }) => attributes)
      .filter((text) => text.includes('db.query.text'))
    expect(statements.some((text) => text.includes('$1'))).toBe(true)
    expect(statements.filter((text) => text.includes(listingId))).toEqual([])
  })
})
