import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startInstance, type Instance } from './testing/instances.ts'
import { readOfferAcceptedEvents, createOffer, readOfferStatuses } from './testing/offers.ts'
import { exceedOpeningDeadline } from './testing/fakes.ts'
import { lamp, createHarness, watch, type Harness } from './testing/harness.ts'

let harness: Harness
let alice: TestUser
let listingId: string

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  alice = randomUser()
  listingId = await harness.createListing()
})

interface Write {
  method?: string
  url: string
  body?: unknown
  as: TestUser
}

async function send({ method = 'POST', url, body, as }: Write, key: string, at?: Instance) {
  const { status, body: received } = await harness.call(method, url, {
    as,
    body,
    at,
    headers: { 'idempotency-key': key },
  })
  return { status, body: received }
}

const count = async (table: string) =>
  Number((await harness.rows(`select count(*) as count from ${table}`))[0]?.['count'])
const offerUrl = async (verb: string) => `/api/offers/${await createOffer(harness, listingId, alice)}/${verb}`

const writes: [string, number, () => Promise<Write>, unknown?][] = [
  ['POST /api/listings', 201, async () => ({ url: '/api/listings', body: lamp, as: alice }), { ...lamp, price: 3 }],
  [
    'POST /api/listings of an auction',
    201,
    async () => ({ url: '/api/listings', body: watch(), as: alice }),
    { ...watch(), starting_bid: 3 },
  ],
  [
    'POST /api/offers',
    201,
    async () => ({ url: '/api/offers', body: { listing_id: listingId, amount: 20 }, as: alice }),
    { listing_id: newId(), amount: 20 },
  ],
  ['accept', 200, async () => ({ url: await offerUrl('accept'), as: harness.seller })],
  ['reject', 200, async () => ({ url: await offerUrl('reject'), as: harness.seller })],
  ['withdraw', 200, async () => ({ url: await offerUrl('withdraw'), as: alice })],
  [
    'counter',
    201,
    async () => ({ url: await offerUrl('counter'), body: { amount: 22 }, as: harness.seller }),
    { amount: 23 },
  ],
  [
    'POST /api/watchlist',
    200,
    async () => ({ url: '/api/watchlist', body: { listing_id: listingId }, as: alice }),
    { listing_id: newId() },
  ],
  [
    'DELETE /api/watchlist/{id}',
    200,
    async () => ({ method: 'DELETE', url: `/api/watchlist/${listingId}`, as: alice }),
  ],
]

describe('a write with an Idempotency-Key', () => {
  it.each(writes)(
    '%s is executed once and returns the same response on another instance and after a restart',
    async (...[, status, make, other]) => {
      const [write, key] = [await make(), newId()]
      const first = await send(write, key)
      expect(first.status).toBe(status)
      const before = [await count('outbox'), await count('listings'), await count('offers')]
      expect(await send(write, key, harness.second)).toEqual(first)
      const restarted = await startInstance(harness.settings)
      expect(await send(write, key, restarted)).toEqual(first)
      await restarted.service.stop()
      expect([await count('outbox'), await count('listings'), await count('offers')]).toEqual(before)
      const reused = other === undefined ? 'none' : (await send({ ...write, body: other }, key)).body['code']
      expect(reused).toBe(other === undefined ? 'none' : 'idempotency_key_reused')
    },
  )

  it('returns the same fields as a write without a key', async () => {
    const plain = (await harness.call('POST', '/api/listings', { as: alice, body: lamp })).body
    const { body } = await send({ url: '/api/listings', body: lamp, as: alice }, 'a key')
    const shapeOf = (response: object) =>
      Object.entries(response).map(([name, value]) => [name, Object.keys(value ?? {})])
    expect(shapeOf({ ...body, id: null })).toEqual(shapeOf({ ...plain, id: null }))
    expect(Object.keys(Object(body['category']))).toEqual(['id', 'name', 'slug'])
  })

  it('returns the stored rejection again when the request would now succeed', async () => {
    const noOffers = await harness.createListing({ accept_offers: false })
    const write = { url: '/api/offers', body: { listing_id: noOffers, amount: 20 }, as: alice }
    const first = await send(write, 'refused')
    expect(first).toMatchObject({ status: 403, body: { code: 'no_offers' } })
    await harness.rows('update listings set accept_offers = true where id = $1', [noOffers])
    expect(await send(write, 'refused', harness.second)).toEqual(first)
    expect((await send(write, 'anew')).status).toBe(201)
    expect((await send({ ...write, as: randomUser() }, 'refused')).status).toBe(201)
  })

  it('stores no response to a malformed body', async () => {
    const write = { url: '/api/offers', body: { listing_id: listingId, amount: 0 }, as: alice }
    expect((await send(write, 'malformed')).status).toBe(400)
    expect((await send({ ...write, body: { ...write.body, amount: 20 } }, 'malformed')).status).toBe(201)
  })

  it('gets 400 when the key is malformed', async () => {
    const write = { url: '/api/listings', body: lamp, as: alice }
    for (const key of ['', 'x'.repeat(256), 'a\tb', 'ä']) expect((await send(write, key)).status).toBe(400)
  })

  // This test fails without `runIdempotent` in offers.routes.ts: the other requests get `already_answered`.
  it('accepts an offer once when 20 requests arrive concurrently at two instances', async () => {
    const write = { url: await offerUrl('accept'), as: harness.seller }
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(write, 'at once', index % 2 ? harness.first : harness.second)),
    )
    const first = await send(write, 'at once')
    expect(first.status).toBe(200)
    for (const response of responses.filter(({ status }) => status !== 409)) expect(response).toEqual(first)
    const rejected = responses.filter(({ status }) => status === 409)
    expect(rejected.filter(({ body }) => body['code'] !== 'idempotency_in_progress')).toEqual([])
    expect(await readOfferAcceptedEvents(harness, listingId)).toHaveLength(1)
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer accepted'])
  })
})

describe('POST /api/listings of an auction with an Idempotency-Key', () => {
  const write = (as: TestUser) => ({ url: '/api/listings', body: watch(), as })

  // This test fails if listings.routes.ts runs `prepareListing` before it looks up the idempotency key.
  it('does not open the auction again when a response is stored', async () => {
    const request = write(alice)
    const first = await send(request, 'auction')
    const opened = harness.auctions.opened.length
    expect(await send(request, 'auction', harness.second)).toEqual(first)
    expect(harness.auctions.opened).toHaveLength(opened)
    expect((await harness.get<unknown[]>('/api/users/me/listings', alice)).body).toHaveLength(1)
  })

  it('creates one listing when the first attempt failed after the auction was opened', async () => {
    const request = write(alice)
    const endDelay = exceedOpeningDeadline(harness)
    const opened = harness.auctions.opened.length
    expect((await send(request, 'lost')).status).toBe(503)
    endDelay()
    const second = await send(request, 'lost')
    expect(second.status).toBe(201)
    expect(await send(request, 'lost')).toEqual(second)
    expect(harness.auctions.opened).toHaveLength(opened + 2)
    const { body } = await harness.get<Record<string, unknown>[]>('/api/users/me/listings', alice)
    expect(body.map(({ id }) => id)).toEqual([second.body['id']])
  })

  it('creates one listing when 10 requests arrive concurrently', async () => {
    const request = write(alice)
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(request, 'at once', index % 2 ? harness.first : harness.second)),
    )
    const created = new Set(responses.filter(({ status }) => status === 201).map(({ body }) => body['id']))
    expect(created.size).toBe(1)
    expect(
      responses.filter(({ status, body }) => status !== 201 && body['code'] !== 'idempotency_in_progress'),
    ).toEqual([])
    expect((await harness.get<unknown[]>('/api/users/me/listings', alice)).body).toHaveLength(1)
  })
})
