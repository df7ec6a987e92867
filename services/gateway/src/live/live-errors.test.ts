import { newId } from '@marketplace/kit/values/ids.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendRequest } from '../testing/send-request.ts'
import { serveAuction } from '../testing/fake-auction.ts'
import { openEventStream } from '../testing/event-stream.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({ MAX_STREAMS_PER_ADDRESS: 60 })
})
beforeEach(() => {
  harness.upstreams.catalog.received.length = 0
  serveAuction(harness)
})
afterAll(() => harness.stop())

const subscribe = (id: string) => openEventStream(harness.port, `/api/auctions/${id}/stream`)

describe('a stream that cannot be opened', () => {
  const response = (id: string) => sendRequest(harness.port, { path: `/api/auctions/${id}/stream` })

  it('gets 404 for an unknown listing or a malformed id', async () => {
    harness.upstreams.catalog.respond = (_request, reply) => reply.code(404).send({ error: 'x', code: 'not_found' })
    const [unknown, malformed] = await Promise.all([response(newId()), response('1')])

    expect([unknown.status, unknown.json()]).toEqual([
      404,
      { error: 'This listing does not exist.', code: 'not_found' },
    ])
    expect(unknown.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(malformed.status).toBe(404)
  })

  it('gets 409 for a fixed-price listing', async () => {
    serveAuction(harness, { is_auction: false })
    const refused = await response(newId())

    expect([refused.status, refused.json()]).toEqual([
      409,
      { error: 'This listing is not an auction.', code: 'not_an_auction' },
    ])
  })

  it('gets 503 while catalog fails', async () => {
    harness.upstreams.catalog.respond = (_request, reply) => reply.code(500).send({})
    const refused = await response(newId())

    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  })

  it('gets 429 above the limit of streams for an address, until one is closed', async () => {
    const streams = await Promise.all(Array.from({ length: 60 }, () => subscribe(newId())))
    const refused = await response(newId())
    expect([refused.status, refused.json()]).toMatchObject([429, { code: 'too_many_streams' }])
    streams[0]?.close()

    expect(
      await eventually(async () => {
        const again = await subscribe(newId())
        return again.status === 200
      }),
    ).toBe(true)
  })

  it('responds to HEAD without opening a stream', async () => {
    const head = await sendRequest(harness.port, { method: 'HEAD', path: `/api/auctions/${newId()}/stream` })

    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(harness.upstreams.catalog.received.length).toBe(0)
  })
})
