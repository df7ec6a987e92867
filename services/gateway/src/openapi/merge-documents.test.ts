import { describe, expect, it } from 'vitest'
import { routeTable } from '../routing/route-table.ts'
import { mergeDocuments } from './merge-documents.ts'
import { publicOperation } from './public-operation.ts'

const [listing, bids] = ['/api/listings/{id}', '/api/auctions/{id}/bids'].map((path) =>
  routeTable.filter(({ method, template }) => method === 'GET' && template === path),
)
const routes = [...(listing ?? []), ...(bids ?? [])]
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const amount = { type: 'integer' }
const listingSchema = { type: 'object', properties: { price: ref('Money') } }

const catalog = {
  paths: {
    '/api/listings/{id}': { get: { summary: 'a listing', answer: ref('Listing') }, delete: { summary: 'not routed' } },
    '/api/categories': { get: {} },
  },
  components: {
    schemas: { Listing: listingSchema, Money: amount, Problem: { type: 'object' }, Unused: { type: 'object' } },
  },
}
const auction = {
  paths: { '/api/auctions/{id}/bids': { get: { summary: 'bids', answer: ref('Money') } } },
  components: { schemas: { Money: amount, Problem: { type: 'object' } } },
}

describe('the merged document', () => {
  it('contains the routed operations of each service and the schemas they use', () => {
    expect(mergeDocuments(routes, { catalog, auction })).toMatchObject({
      openapi: '3.1.0',
      paths: {
        '/api/auctions/{id}/bids': { get: { tags: ['auction'], summary: 'bids', answer: ref('Money') } },
        '/api/listings/{id}': { get: { tags: ['catalog'], summary: 'a listing', answer: ref('Listing') } },
      },
      components: { schemas: { Listing: listingSchema, Money: amount, Problem: { type: 'object' } } },
    })
    expect(mergeDocuments(routes, { catalog, auction }).components.schemas).not.toHaveProperty('Unused')
  })

  it.each([
    ['GET', '/api/users/me', [{ session: [] }]],
    ['GET', '/api/listings/{id}', [{}, { session: [] }]],
    ['GET', '/api/categories', []],
    ['POST', '/api/stripe/webhook', [{ stripeSignature: [] }]],
  ])('declares the security of %s %s', (method, template, security) => {
    const route = routeTable.find((row) => row.method === method && row.template === template)
    if (!route) throw new Error('The table lacks the route.')
    expect(publicOperation(route, {})['security']).toEqual(security)
  })

  it('declares the form of the parameters of a path', () => {
    const route = routeTable.find(({ template }) => template === '/api/listings/{id}')
    if (!route) throw new Error('The table lacks the route.')
    const parameters = [{ name: 'id', in: 'path', schema: { type: 'string' } }]
    expect(publicOperation(route, { parameters })).toMatchObject({ parameters: [{ schema: { format: 'uuid' } }] })
  })

  it('is not created when a route is not documented', () => {
    expect(() => mergeDocuments(routes, { catalog })).toThrow('auction does not document GET /api/auctions/{id}/bids.')
  })

  it('is not created when two schemas have the same name', () => {
    const other = { ...auction, components: { schemas: { Money: { type: 'string' } } } }

    expect(() => mergeDocuments(routes, { catalog, auction: other })).toThrow(
      'auction defines schema Money differently',
    )
  })
})
