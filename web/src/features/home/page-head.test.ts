import { expect, it } from 'vitest'
import type { ListingFilters } from '../../api/queries.ts'
import { headOf } from './page-head.ts'

const art = {
  id: 1,
  name: 'Fine Art',
  slug: 'art',
  description: 'Paintings and prints.',
  created_at: '',
  updated_at: '',
}

it.each<[ListingFilters, string]>([
  [{ search: 'lamp', category: 'art' }, 'lamp for Sale'],
  [{ category: 'art', minPrice: '5' }, 'Fine Art for Sale'],
  [{ category: 'gone' }, 'gone for Sale'],
  [{ condition: 'new' }, 'Filtered Listings'],
  [{}, 'Marketplace: buy, bid and sell'],
])('names the page of %j: %s', (filters, title) => {
  expect(headOf(filters, [art]).title).toBe(title)
})
