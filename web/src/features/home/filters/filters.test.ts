import { expect, it } from 'vitest'
import { activeFilters } from './active-filters.ts'
import { hasFilters, readFilters, readPrice, withParams } from './filters.ts'

it('SRCH-16 reads format, free shipping, location and seller from the URL, and ignores invalid values', () => {
  const seller = '01890a5d-ac96-774b-bcce-b302099a8057'
  const query = `format=auction&freeShipping=true&location=+Portland+&seller=${seller}`
  expect(readFilters(new URLSearchParams(query))).toEqual({
    format: 'auction',
    freeShipping: 'true',
    location: 'Portland',
    seller,
  })
  expect(readFilters(new URLSearchParams('format=bids&freeShipping=yes&location=+&seller=7'))).toEqual({})
})

it('reads only the known filters and the order from the URL', () => {
  const params = new URLSearchParams(
    'search=+lamp+&category=art&condition=good&minPrice=5&maxPrice=20.50&sort=price-asc&view=list&x=1',
  )
  expect(readFilters(params)).toEqual({
    search: 'lamp',
    category: 'art',
    condition: 'good',
    minPrice: '5',
    maxPrice: '20.5',
    sort: 'price-asc',
  })
})

it('ignores empty parameters and an unknown order', () => {
  const filters = readFilters(new URLSearchParams('search=&condition=+&sort=cheapest'))
  expect(filters).toEqual({})
  expect(hasFilters(filters)).toBe(false)
})

it.each([
  ['0', '0'],
  [' $1,234.50 ', '1234.5'],
  ['9999999.99', '9999999.99'],
  ['10000000', null],
  ['-5', null],
  ['1e3', null],
  ['many', null],
  ['', null],
])('reads %j as the price %j and ignores an invalid price', (typed, price) => {
  expect(readPrice(typed)).toBe(price)
  const params = new URLSearchParams({ minPrice: typed, maxPrice: typed })
  expect(readFilters(params)).toEqual(price === null ? {} : { minPrice: price, maxPrice: price })
})

it('truncates a search term to the maximum length of the search box', () => {
  expect(readFilters(new URLSearchParams({ search: '😀'.repeat(201) }))).toEqual({ search: '😀'.repeat(200) })
})

it.each(['Home Decor', 'art/', 'a\u0000rt', 'x'.repeat(101)])('ignores the invalid category %j', (category) => {
  expect(readFilters(new URLSearchParams({ category }))).toEqual({})
})

it('reads a category of 100 characters', () => {
  const category = `${'x'.repeat(98)}-1`
  expect(readFilters(new URLSearchParams({ category: ` ${category} ` }))).toEqual({ category })
})

it('ignores text with NUL, which the API rejects', () => {
  expect(readFilters(new URLSearchParams('search=la%00mp&location=%00'))).toEqual({})
})

it('does not count the order as a filter', () => {
  expect(hasFilters({ sort: 'newest' })).toBe(false)
  expect(hasFilters({ minPrice: '1' })).toBe(true)
})

it('changes one parameter and keeps the others', () => {
  const params = new URLSearchParams('search=lamp&category=art')
  expect(String(withParams(params, { category: 'toys' }))).toBe('search=lamp&category=toys')
  expect(String(withParams(params, { category: null }))).toBe('search=lamp')
})

it.each([
  [{ minPrice: '20', maxPrice: '80' }, ['Price: $20–$80']],
  [{ minPrice: '20.5' }, ['Price: from $20.50']],
  [{ maxPrice: '1000' }, ['Price: up to $1,000']],
  [{ category: 'art', condition: 'good' as const }, ['Category: Art & more', 'Condition: Good']],
  [{ category: 'gone', freeShipping: 'true' as const }, ['Category: gone', 'Free shipping']],
  [{ search: 'lamp', sort: 'newest' as const }, []],
])('SRCH-19 shows %j as chips', (filters, chips) => {
  const categories = [{ id: 1, slug: 'art', name: 'Art & more', description: null, created_at: '', updated_at: '' }]
  const shown = activeFilters(filters, categories)
  expect(shown.map(({ name, value }) => (value === null ? name : `${name}: ${value}`))).toEqual(chips)
})
