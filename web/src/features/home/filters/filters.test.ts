import { expect, it } from 'vitest'
import { hasFilters, readFilters, readPrice, withParams } from './filters.ts'

it('reads only the five filters and the order from the URL', () => {
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

it('does not count the order as a filter', () => {
  expect(hasFilters({ sort: 'newest' })).toBe(false)
  expect(hasFilters({ minPrice: '1' })).toBe(true)
})

it('changes one parameter and keeps the others', () => {
  const params = new URLSearchParams('search=lamp&category=art')
  expect(String(withParams(params, { category: 'toys' }))).toBe('search=lamp&category=toys')
  expect(String(withParams(params, { category: null }))).toBe('search=lamp')
})
