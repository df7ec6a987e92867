import { describe, expect, it } from 'vitest'
import { toSuggestions, defaultSuggestions } from './suggestions.ts'

const terms = (...names: string[]) => names.map((search_term) => ({ search_term }))

describe('the suggestions of the search box', () => {
  it('HOME-17 are up to 5 recent, then up to 5 trending terms, at most 8', () => {
    const suggestions = defaultSuggestions(
      terms('r1', 'r2', 'r3', 'r4', 'r5', 'r6'),
      terms('t1', 't2', 't3', 't4', 't5', 't6'),
    )
    expect(suggestions.map(({ term }) => term)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 't1', 't2', 't3'])
    expect(defaultSuggestions([], terms('t1', 't2', 't3', 't4', 't5', 't6'))).toHaveLength(5)
  })

  it('HOME-17 contain a term once, ignoring case, and prefer the recent one', () => {
    expect(defaultSuggestions(terms('Lamp', 'desk'), terms('lamp', 'sofa'))).toEqual([
      { term: 'Lamp', kind: 'recent' },
      { term: 'desk', kind: 'recent' },
      { term: 'sofa', kind: 'trending' },
    ])
  })

  it('are at most 8 suggestions from the server once a term is typed', () => {
    const titles = Array.from({ length: 10 }, (_, index) => ({ title: `Lamp ${index}` }))
    expect(toSuggestions([{ title: 'lamp 0' }, ...titles]).map(({ term }) => term)).toEqual([
      'lamp 0',
      'Lamp 1',
      'Lamp 2',
      'Lamp 3',
      'Lamp 4',
      'Lamp 5',
      'Lamp 6',
      'Lamp 7',
    ])
  })
})
