import { expect, it } from 'vitest'
import type { CardListing } from '../../../api/client/types.ts'
import { emptyCard } from '../../../rules/empty-listing.fixture.ts'
import { heroPictures } from './hero-pictures.ts'

function listings(...pictures: (string | null)[]): CardListing[] {
  return pictures.map((picture) => ({ ...emptyCard, picture }))
}

function urls(...given: Parameters<typeof heroPictures>): string[] {
  return heroPictures(...given).map(({ url }) => url)
}

it('returns the pictures of the listings without duplicates, up to nine', () => {
  expect(urls(listings(null, '1', '2', null, '2', '3', '4', '5'))).toEqual(['1', '2', '3', '4', '5'])
  const many = Array.from({ length: 12 }, (_, index) => String(index))
  expect(urls(listings(...many))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
})

it('returns no pictures if there are fewer than five', () => {
  expect(urls(listings(null, '1', '2', '3', '4', '4'))).toEqual([])
  expect(urls([])).toEqual([])
})

it('leaves out pictures that failed to load, and returns none if fewer than five are left', () => {
  expect(urls(listings('1', '2', '3', '4', '5', '6'), ['2'])).toEqual(['1', '3', '4', '5', '6'])
  expect(urls(listings('1', '2', '3', '4', '5'), ['2'])).toEqual([])
})
