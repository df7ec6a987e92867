import { expect, it } from 'vitest'
import type { Listing } from '../../api/types.ts'
import { emptyListing } from '../../rules/empty-listing.fixture.ts'
import { heroPictures } from './hero-pictures.ts'

function listings(...pictures: string[][]): Listing[] {
  return pictures.map((image_urls_parsed) => ({ ...emptyListing, image_urls_parsed }))
}

it('shows the first picture of each listing that has one, none twice, up to nine', () => {
  expect(heroPictures(listings([], ['1'], ['2'], [], ['2'], ['3'], ['4'], ['5']))).toEqual(['1', '2', '3', '4', '5'])
  const many = Array.from({ length: 12 }, (_, index) => [String(index), `${index} again`])
  expect(heroPictures(listings(...many))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8'])
})

it('shows the other pictures too where few listings have one', () => {
  expect(heroPictures(listings([], ['1', '2', '3'], ['4', '5']))).toEqual(['1', '4', '2', '3', '5'])
})

it('shows none of what is too little for a wall', () => {
  expect(heroPictures(listings([], ['1', '2'], ['3', '4']))).toEqual([])
  expect(heroPictures([])).toEqual([])
})
