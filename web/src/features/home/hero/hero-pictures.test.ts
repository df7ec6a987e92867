import { expect, it } from 'vitest'
import type { Listing } from '../../../api/client/types.ts'
import { emptyListing } from '../../../rules/empty-listing.fixture.ts'
import { heroPictures } from './hero-pictures.ts'

function listings(...pictures: string[][]): Listing[] {
  return pictures.map((image_urls_parsed) => ({ ...emptyListing, image_urls_parsed }))
}

it('returns the first picture of each listing without duplicates, up to nine', () => {
  expect(heroPictures(listings([], ['1'], ['2'], [], ['2'], ['3'], ['4'], ['5']))).toEqual(['1', '2', '3', '4', '5'])
  const many = Array.from({ length: 12 }, (_, index) => [String(index), `${index} again`])
  expect(heroPictures(listings(...many))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
})

it('adds further pictures if few listings have one', () => {
  expect(heroPictures(listings([], ['1', '2', '3'], ['4', '5']))).toEqual(['1', '4', '2', '3', '5'])
})

it('returns no pictures if there are fewer than five', () => {
  expect(heroPictures(listings([], ['1', '2'], ['3', '4']))).toEqual([])
  expect(heroPictures([])).toEqual([])
})
