import { expect, it } from 'vitest'
import type { ListingFilters } from '../../api/queries/queries.ts'
import { homeHead } from './page-head.ts'

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
])('returns for %j the title %s', (filters, title) => {
  expect(homeHead(filters, [art]).title).toBe(title)
})
