import { newId } from '@marketplace/kit/values/ids.ts'
import { expectToMatchContract, readContract, type ApiDocument } from '@marketplace/testing/contract.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sellListing } from './testing/life.ts'
import { createOffer } from './testing/offers.ts'
import { lamp, createHarness, watch, type Harness } from './testing/harness.ts'

let harness: Harness
let contract: ApiDocument

beforeAll(async () => {
  harness = await createHarness()
  contract = await readContract('catalog')
})
afterAll(() => harness.close())

interface RequestOptions {
  id?: string
  as?: TestUser
  body?: unknown
}

/** Sends the request, asserts that the response matches the OpenAPI document, and returns its status. */
async function checkResponse(call: string, { id = newId(), as, body }: RequestOptions = {}): Promise<number> {
  const [method = '', template = ''] = call.split(' ')
  const {
    status,
    headers,
    body: received,
  } = await harness.call(method, template.replace('{id}', id).replace('{number}', '1'), { as, body })
  expectToMatchContract(contract, method, template, { statusCode: status, headers, body: JSON.stringify(received) })
  return status
}

it('describes every route, and all responses match it', async () => {
  const [alice, bob, { seller }] = [randomUser(), randomUser(), harness]
  const [listing, auction, noOffers] = [
    await harness.createListing(),
    await harness.createAuction(),
    await harness.createListing({ accept_offers: false }),
  ]
  const [edited, sold] = [await harness.createListing(), await harness.createListing()]
  await sellListing(harness, sold)
  const draftId = newId()
  const offer = (by = randomUser()) => createOffer(harness, listing, by)
  const draft = { listing_id: listing, amount: 20 }
  const photo = { content_type: 'image/jpeg', byte_size: 1000 }
  const announced = async (as: TestUser) =>
    String((await harness.call('POST', '/api/pictures', { as, body: photo })).body['id'])
  const requests: [call: string, status: number, options?: RequestOptions][] = [
    ['GET /api/categories', 200],
    ['GET /api/listings/{id}', 200, { id: listing }],
    ['GET /api/listings/{id}', 200, { id: auction }],
    ['GET /api/listings/{id}', 404],
    ['POST /api/listings', 201, { as: alice, body: lamp }],
    ['POST /api/listings', 201, { as: alice, body: watch() }],
    ['POST /api/listings', 400, { as: alice, body: {} }],
    ['POST /api/listings', 400, { as: alice, body: '{' }],
    ['POST /api/listings', 401, { body: lamp }],
    ['POST /api/listings', 413, { as: alice, body: { ...lamp, description: 'x'.repeat(70_000) } }],
    ['PATCH /api/listings/{id}', 200, { id: edited, as: seller, body: { listing_version: 1, price: 20 } }],
    ['PATCH /api/listings/{id}', 400, { id: edited, as: seller, body: {} }],
    ['PATCH /api/listings/{id}', 403, { id: edited, as: alice, body: { listing_version: 2 } }],
    ['PATCH /api/listings/{id}', 404, { as: seller, body: { listing_version: 1 } }],
    ['PATCH /api/listings/{id}', 409, { id: edited, as: seller, body: { listing_version: 1 } }],
    ['POST /api/listings/{id}/end', 200, { id: edited, as: seller }],
    ['POST /api/listings/{id}/end', 409, { id: auction, as: seller }],
    ['POST /api/listings/{id}/relist', 200, { id: edited, as: seller, body: {} }],
    ['POST /api/listings/{id}/relist', 403, { id: edited, as: alice, body: {} }],
    ['GET /api/listings/{id}/prices', 200, { id: edited }],
    ['GET /api/listings/{id}/prices', 404],
    ['GET /api/listings/{id}/revisions/{number}', 200, { id: sold, as: seller }],
    ['GET /api/listings/{id}/revisions/{number}', 401, { id: sold }],
    ['GET /api/listings/{id}/revisions/{number}', 404, { id: sold, as: alice }],
    ['PUT /api/drafts/{id}', 200, { id: draftId, as: alice, body: { title: 'Half' } }],
    ['PUT /api/drafts/{id}', 400, { as: alice, body: [] }],
    ['PUT /api/drafts/{id}', 404, { id: draftId, as: bob, body: {} }],
    ['GET /api/drafts', 200, { as: alice }],
    ['GET /api/drafts', 401],
    ['DELETE /api/drafts/{id}', 200, { id: draftId, as: alice }],
    ['DELETE /api/drafts/{id}', 404, { id: draftId, as: alice }],
    ['GET /api/users/me/listings', 200, { as: seller }],
    ['GET /api/users/me/listings', 401],
    ['POST /api/offers', 201, { as: alice, body: draft }],
    ['POST /api/offers', 400, { as: alice, body: { ...draft, amount: 0 } }],
    ['POST /api/offers', 401, { body: draft }],
    ['POST /api/offers', 403, { as: alice, body: { ...draft, listing_id: noOffers } }],
    ['POST /api/offers', 404, { as: alice, body: { ...draft, listing_id: newId() } }],
    ['POST /api/offers', 409, { as: alice, body: { ...draft, listing_id: auction } }],
    ['GET /api/offers', 200, { as: alice }],
    ['GET /api/offers', 401],
    ['POST /api/offers/{id}/counter', 201, { id: await offer(), as: seller, body: { amount: 30 } }],
    ['POST /api/offers/{id}/counter', 400, { as: seller, body: {} }],
    ['POST /api/offers/{id}/reject', 200, { id: await offer(), as: seller }],
    ['POST /api/offers/{id}/withdraw', 200, { id: await offer(bob), as: bob }],
    ['POST /api/offers/{id}/withdraw', 403, { id: await offer(), as: seller }],
    ['POST /api/offers/{id}/accept', 404, { as: seller }],
    ['POST /api/offers/{id}/accept', 401],
    ['POST /api/offers/{id}/accept', 200, { id: await offer(), as: seller }],
    ['POST /api/watchlist', 200, { as: alice, body: { listing_id: listing } }],
    ['POST /api/watchlist', 400, { as: alice, body: {} }],
    ['POST /api/watchlist', 403, { as: seller, body: { listing_id: listing } }],
    ['GET /api/watchlist', 200, { as: alice }],
    ['GET /api/watchlist/check/{id}', 200, { id: listing, as: alice }],
    ['GET /api/watchlist/check/{id}', 404, { as: alice }],
    ['DELETE /api/watchlist/{id}', 200, { id: listing, as: alice }],
    ['DELETE /api/watchlist/{id}', 401],
    ['POST /api/pictures', 201, { as: alice, body: photo }],
    ['POST /api/pictures', 400, { as: alice, body: {} }],
    ['POST /api/pictures', 401, { body: photo }],
    ['POST /api/pictures', 413, { as: alice, body: { ...photo, byte_size: 20_000_000 } }],
    ['POST /api/pictures', 415, { as: alice, body: { ...photo, content_type: 'image/gif' } }],
    ['POST /api/pictures/{id}/complete', 409, { id: await announced(bob), as: bob }],
    ['POST /api/pictures/{id}/complete', 404, { as: alice }],
    ['GET /api/pictures/{id}', 200, { id: await announced(bob), as: bob }],
    ['GET /api/pictures/{id}', 404, { as: alice }],
    ['DELETE /api/pictures/{id}', 200, { id: await announced(bob), as: bob }],
    ['DELETE /api/pictures/{id}', 404, { as: alice }],
  ]
  for (const [call, status, options] of requests)
    expect([call, options, await checkResponse(call, options)]).toEqual([call, options, status])
  const routes = Object.entries(contract.paths).flatMap(([path, methods = {}]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(new Set(requests.map(([call]) => call))).toEqual(new Set(routes))
})
