import { expect, it } from 'vitest'
import { suggestionsFrom } from './suggestion.ts'

const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`)
const toCategory = (name: string) => ({ name, slug: name.toLowerCase().replace(' ', '-') })

it('SRCH-03 returns at most 8: three searches, two categories, then listings', () => {
  const titles = { searches: named('s', 9), categories: named('c', 9).map(toCategory), listings: named('l', 9) }
  expect(suggestionsFrom(titles).map(({ title, type }) => `${type} ${title}`)).toEqual([
    'search s 0',
    'search s 1',
    'search s 2',
    'category c 0',
    'category c 1',
    'listing l 0',
    'listing l 1',
    'listing l 2',
  ])
})

it('SRCH-03 returns a title once, ignoring case', () => {
  const titles = { searches: ['lamp'], categories: ['Lamp'].map(toCategory), listings: ['LAMP', 'A lamp', 'a lamp'] }
  expect(suggestionsFrom(titles)).toEqual([
    { title: 'lamp', type: 'search', slug: null },
    { title: 'A lamp', type: 'listing', slug: null },
  ])
})

it('SRCH-21 has the slug of a category', () => {
  const categories = [{ name: 'Home Decor', slug: 'home-decor' }]
  expect(suggestionsFrom({ searches: [], categories, listings: [] })).toEqual([
    { title: 'Home Decor', type: 'category', slug: 'home-decor' },
  ])
})
