// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ListingFilters } from '../../../api/queries/queries.ts'
import { emptyCard } from '../../../rules/empty-listing.fixture.ts'
import { useDescriptions } from './use-descriptions.ts'

const page = (description: string) =>
  Array.from({ length: 24 }, (_, index) => ({ ...emptyCard, id: `${description} ${index}`, description }))

interface Shown {
  filters?: ListingFilters
  items: ReturnType<typeof page>
  areShown?: boolean
}

function renderList(first: Shown) {
  const refetch = vi.fn(() => Promise.resolve())
  const { rerender } = renderHook(
    ({ filters = {}, items, areShown = true }) => useDescriptions(filters, { data: { items }, refetch }, areShown),
    { initialProps: first },
  )
  return { refetch, rerender }
}

afterEach(cleanup)

it.each([
  [1, 'those of the first page are missing', { items: page('') }],
  [1, 'those of the first of two pages are missing', { items: [...page(''), ...page('Glazed')] }],
  [0, 'none is missing', { items: page('Glazed') }],
  [0, 'only some listings have none', { items: [...page('').slice(1), ...page('Glazed')] }],
  [0, 'only those of the second page are empty', { items: [...page('Glazed'), ...page('')] }],
  [0, 'they are missing but not shown', { items: page(''), areShown: false }],
  [0, 'there are no listings', { items: [] }],
])('HOME-12 descriptions are fetched again %i times if %s', (count, _case, list) => {
  const { refetch, rerender } = renderList(list)
  rerender({ ...list, filters: {} })
  expect(refetch).toHaveBeenCalledTimes(count)
})

it('HOME-12 missing descriptions are fetched again after a change to other filters without descriptions', () => {
  const { refetch, rerender } = renderList({ items: page('') })
  rerender({ filters: { sort: 'newest' }, items: page('') })
  expect(refetch).toHaveBeenCalledTimes(2)
})
