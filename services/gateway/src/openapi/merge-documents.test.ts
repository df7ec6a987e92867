import { describe, expect, it } from 'vitest'
import { routeTable } from '../routing/route-table.ts'
import { mergeDocuments } from './merge-documents.ts'

const [listing, bids] = ['/api/listings/{id}', '/api/auctions/{id}/bids'].map((path) =>
  routeTable.filter(({ template }) => template === path),
)
const routes = [...(listing ?? []), ...(bids ?? [])]
const money = { type: 'integer' }

const catalog = {
  paths: {
    '/api/listings/{id}': { get: { summary: 'a listing' }, delete: { summary: 'not routed' } },
    '/api/categories': { get: {} },
  },
  components: { schemas: { Listing: { type: 'object' }, Money: money } },
}
const auction = {
  paths: { '/api/auctions/{id}/bids': { get: { summary: 'bids' } } },
  components: { schemas: { Bid: { type: 'object' }, Money: money } },
}

describe('the merged document', () => {
  it('has what the table routes, from the service it leads to, and every shape', () => {
    expect(mergeDocuments(routes, { catalog, auction })).toEqual({
      openapi: '3.1.0',
      info: { title: 'Marketplace', version: '1' },
      paths: {
        '/api/auctions/{id}/bids': { get: { tags: ['auction'], summary: 'bids' } },
        '/api/listings/{id}': { get: { tags: ['catalog'], summary: 'a listing' } },
      },
      components: { schemas: { Bid: { type: 'object' }, Listing: { type: 'object' }, Money: money } },
    })
  })

  it('is not made while a route is not documented', () => {
    expect(() => mergeDocuments(routes, { catalog })).toThrow('auction does not document GET /api/auctions/{id}/bids.')
  })

  it('is not made from two shapes with one name', () => {
    const other = { ...auction, components: { schemas: { Money: { type: 'string' } } } }

    expect(() => mergeDocuments(routes, { catalog, auction: other })).toThrow('auction gives the name Money')
  })
})
