import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gatewaySettings } from '../config.ts'
import { sendRequest, type ApiResponse } from '../testing/send-request.ts'
import { cookieHeader } from '../testing/sign-in.ts'
import { serveAuction } from '../testing/fake-auction.ts'
import { openEventStream } from '../testing/event-stream.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

const { MAX_STREAMS_PER_ADDRESS: perAddress, MAX_STREAMS_PER_USER: perUser } = gatewaySettings.shape
const streamLimits = {
  MAX_STREAMS_PER_ADDRESS: perAddress.parse(undefined),
  MAX_STREAMS_PER_USER: perUser.parse(undefined),
}
const tooMany = [429, '1', 'too_many_streams']

let database: TestDatabase
let harness: Harness
beforeAll(async () => {
  database = await testDatabase()
  const settings = { ...streamLimits, BUS_DATABASE_URL: database.busUrl, TRUSTED_PROXIES: ['127.0.0.1'] }
  harness = await createHarness(settings)
})
beforeEach(() => {
  harness.upstreams.catalog.received.length = 0
  serveAuction(harness)
})
afterAll(async () => {
  await harness.stop()
  await database.drop()
})

const subscribe = (id: string, headers: Record<string, string> = {}) =>
  openEventStream(harness.port, `/api/auctions/${id}/stream`, headers)

describe('a stream that cannot be opened', () => {
  const response = (id: string, headers: Record<string, string> = {}) =>
    sendRequest(harness.port, { path: `/api/auctions/${id}/stream`, headers })
  const problemOf = ({ status, headers, json }: ApiResponse) => [
    status,
    headers['retry-after'],
    z.object({ code: z.string() }).parse(json()).code,
  ]

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

  it('gets 429 above 200 streams of an address or IPv6 network, until one is closed', async () => {
    const id = newId()
    const from = (host: number) => ({ 'x-forwarded-for': `2001:db8:1:2::${host}` })
    const streams = await Promise.all(
      Array.from({ length: streamLimits.MAX_STREAMS_PER_ADDRESS }, (_, host) => subscribe(id, from(host))),
    )
    expect(streams.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    expect(problemOf(await response(id, from(1)))).toEqual(tooMany)
    streams.push(await subscribe(id, { 'x-forwarded-for': '2001:db8:1:3::1' }))
    expect(streams.at(-1)?.status).toBe(200)
    streams[0]?.close()

    expect(
      await eventually(async () => {
        const again = await subscribe(id, from(2))
        streams.push(again)
        return again.status === 200
      }),
    ).toBe(true)
    for (const stream of streams) stream.close()
  })

  it('gets 429 above 8 streams of one person on any address, and no other person does', async () => {
    const [person, other] = await Promise.all(['Ann', 'Bob'].map((name) => harness.keys.token(randomUser(name))))
    const as = (access: string | undefined, host: number) => ({
      cookie: cookieHeader(harness, { access: access ?? '' }),
      'x-forwarded-for': `203.0.113.${host}`,
    })
    const streams = await Promise.all(
      Array.from({ length: streamLimits.MAX_STREAMS_PER_USER }, (_, host) => subscribe(newId(), as(person, host))),
    )
    expect(streams.map(({ status }) => status)).toEqual(Array<number>(8).fill(200))
    expect(problemOf(await response(newId(), as(person, 99)))).toEqual(tooMany)
    streams.push(await subscribe(newId(), as(other, 0)))

    expect(streams.at(-1)?.status).toBe(200)
    for (const stream of streams) stream.close()
  })

  it('never refreshes a session, because a stream sets no cookies', async () => {
    const stream = await subscribe(newId(), { cookie: cookieHeader(harness, { refresh: 'r1' }) })
    stream.close()

    expect([stream.status, harness.users.refreshes]).toEqual([200, []])
  })

  it('responds to HEAD without opening a stream', async () => {
    const head = await sendRequest(harness.port, { method: 'HEAD', path: `/api/auctions/${newId()}/stream` })

    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(harness.upstreams.catalog.received.length).toBe(0)
  })
})
