import { describe, expect, it } from 'vitest'
import { routeTable } from '../routing/route-table.ts'
import { mergeDocuments } from './merge-documents.ts'

const [listing, bids] = ['/api/listings/{id}', '/api/auctions/{id}/bids'].map((path) =>
  routeTable.filter(({ template }) => template === path),
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
  components: { schemas: { Listing: listingSchema, Money: amount, Unused: { type: 'object' } } },
}
const auction = {
  paths: { '/api/auctions/{id}/bids': { get: { summary: 'bids', answer: ref('Money') } } },
  components: { schemas: { Money: amount } },
}

describe('the merged document', () => {
  it('contains the routed operations of each service and the schemas they use', () => {
    expect(mergeDocuments(routes, { catalog, auction })).toEqual({
      openapi: '3.1.0',
      info: { title: 'Marketplace', version: '1' },
      paths: {
        '/api/auctions/{id}/bids': { get: { tags: ['auction'], summary: 'bids', answer: ref('Money') } },
        '/api/listings/{id}': { get: { tags: ['catalog'], summary: 'a listing', answer: ref('Listing') } },
      },
      components: { schemas: { Listing: listingSchema, Money: amount } },
    })
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
