import { describe, expect, it } from 'vitest'
import type { CardListing } from '../../../api/client/types.ts'
import { emptyCard } from '../../../rules/empty-listing.fixture.ts'
import { toSections } from './sections.ts'

const kinds = { t: 'title', d: 'description', r: 'related', f: 'fuzzy' } as const

function isKind(letter: string): letter is keyof typeof kinds {
  return letter in kinds
}

function cards(letters: string): CardListing[] {
  return Array.from(letters, (letter, place) => ({
    ...emptyCard,
    id: `${letter}${place}`,
    match: isKind(letter) ? kinds[letter] : null,
  }))
}

function sectionsOf(letters: string, filters: Parameters<typeof toSections>[1] = { search: 'lamp' }) {
  return toSections(cards(letters), filters).map(({ heading, listings }) => [
    heading,
    listings.map(({ id }) => id[0]).join(''),
  ])
}

describe('the sections of search results', () => {
  it.each([
    ['tt', [[null, 'tt']]],
    [
      'tdr',
      [
        [null, 't'],
        ['Mentioned in the description', 'd'],
        ['Related items', 'r'],
      ],
    ],
    [
      'ddrr',
      [
        ['Mentioned in the description', 'dd'],
        ['Related items', 'rr'],
      ],
    ],
    ['r', [['Related items', 'r']]],
    ['ff', [[null, 'ff']]],
    ['', []],
  ])('SRCH-15 of %s are by the kind of match', (letters, sections) => {
    expect(sectionsOf(letters)).toEqual(sections)
  })

  it('SRCH-15 unranked matches of a common word are one section before related items', () => {
    expect(sectionsOf('ttddtdtr')).toEqual([
      [null, 'tt'],
      ['Mentioned in the description', 'dd'],
      ['More results', 'tdt'],
      ['Related items', 'r'],
    ])
  })

  it.each([{ search: 'lamp', sort: 'newest' as const }, {}])('SRCH-15 %j has one section', (filters) => {
    expect(sectionsOf('tdrt', filters)).toEqual([[null, 'tdrt']])
  })
})
