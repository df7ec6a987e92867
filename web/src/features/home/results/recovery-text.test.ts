import { describe, expect, it } from 'vitest'
import { recoveryLine } from './recovery-text.ts'

const categories = [{ id: 1, slug: 'art', name: 'Art', description: null, created_at: '', updated_at: '' }]

describe('the ways out of a search without results', () => {
  it.each([
    [['filter', 'condition', 'new'], 'No New items match. 14 in other conditions.', { condition: null }],
    [['filter', 'price', ''], 'No items at this price match. 14 at other prices.', { minPrice: null, maxPrice: null }],
    [['filter', 'format', 'auction'], 'No auctions match. 14 at a fixed price.', { format: null }],
    [['filter', 'format', 'fixed'], 'No fixed-price items match. 14 in auctions.', { format: null }],
    [
      ['filter', 'freeShipping', 'true'],
      'No items with free shipping match. 14 with paid shipping.',
      { freeShipping: null },
    ],
    [['filter', 'location', 'Portland'], 'No items in Portland match. 14 in other locations.', { location: null }],
    [['filter', 'category', 'art'], 'No items in Art match. 14 in other categories.', { category: null }],
    [['filter', 'seller', 'x'], 'No items of this seller match. 14 from other sellers.', { seller: null }],
    [['word', 'road bike', 'carbon'], '14 results for “road bike” without “carbon”.', { search: 'road bike' }],
  ] as const)('SRCH-20 %j: %s', ([kind, name, value], text, changes) => {
    const shown = recoveryLine({ kind, name, value, total: '14' }, categories)
    expect([shown.before + shown.emphasized + shown.after + shown.link, shown.changes]).toEqual([text, changes])
  })

  it('SRCH-20 of a category drop the search and all other filters', () => {
    const { link, changes } = recoveryLine({ kind: 'category', name: 'Shoes', value: 'shoes', total: '32' }, categories)
    expect(link).toBe('See all Shoes (32).')
    expect(changes).toMatchObject({ category: 'shoes', search: null, minPrice: null, seller: null })
    expect(recoveryLine({ kind: 'word', name: 'a', value: 'b', total: '1' }, []).link).toMatch(/^1 result for/)
  })
})
