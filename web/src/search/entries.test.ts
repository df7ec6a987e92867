import { describe, expect, it } from 'vitest'
import { entriesFor, entriesFrom } from './entries.ts'

const terms = (...names: string[]) => names.map((search_term) => ({ search_term }))

describe('the entries of the search dropdown', () => {
  it('HOME-17 are up to 5 recent, then up to 5 trending terms, 8 at most', () => {
    const entries = entriesFrom(terms('r1', 'r2', 'r3', 'r4', 'r5', 'r6'), terms('t1', 't2', 't3', 't4', 't5', 't6'))
    expect(entries.map(({ term }) => term)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 't1', 't2', 't3'])
    expect(entriesFrom([], terms('t1', 't2', 't3', 't4', 't5', 't6'))).toHaveLength(5)
  })

  it('HOME-17 name no term twice, whatever its case, and keep it as recent', () => {
    expect(entriesFrom(terms('Lamp', 'desk'), terms('lamp', 'sofa'))).toEqual([
      { term: 'Lamp', kind: 'recent' },
      { term: 'desk', kind: 'recent' },
      { term: 'sofa', kind: 'trending' },
    ])
  })

  it('are the suggestions once something is typed, 8 at most', () => {
    const titles = Array.from({ length: 10 }, (_, index) => ({ title: `Lamp ${index}` }))
    expect(entriesFor([{ title: 'lamp 0' }, ...titles]).map(({ term }) => term)).toEqual([
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
