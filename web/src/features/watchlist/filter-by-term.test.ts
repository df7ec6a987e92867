import { expect, it } from 'vitest'
import { emptyCard } from '../../rules/empty-listing.fixture.ts'
import { filterByTerm } from './filter-by-term.ts'

const lamp = { ...emptyCard, title: 'Brass Lamp', description: 'For the desk' }
const desk = { ...emptyCard, title: 'Writing table', description: 'A DESK of oak' }

it.each([
  ['lamp', [lamp]],
  [' DESK ', [lamp, desk]],
  ['', [lamp, desk]],
  ['sofa', []],
])('WATCH-01 finds favorites by title or description, ignoring case: %s', (term, found) => {
  expect(filterByTerm([lamp, desk], term)).toEqual(found)
})
