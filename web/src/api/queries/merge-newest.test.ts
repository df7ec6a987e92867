import { expect, it } from 'vitest'
import { mergeNewest, startCursor, toPagedList, type ListPage } from './paged.ts'

interface Row {
  id: string
  text: string
}

function pageOf(ids: string, nextCursor: string | null = null, text = 'old'): ListPage<Row> {
  const items = ids.split('').map((id) => ({ id, text }))
  return { items, nextCursor, total: null, activeTotal: null, corrected: null }
}

function idsOf(pages: ListPage<Row>[]): string {
  return toPagedList({ pages, pageParams: pages.map(() => startCursor) })
    .items.map(({ id }) => id)
    .join('')
}

const loaded = { pages: [pageOf('edc', 'c'), pageOf('ba')], pageParams: [startCursor, 'c'] }

it.each([
  ['adds new rows', 'gfe', 'gfedcba'],
  ['replaces known rows', 'edc', 'edcba'],
  ['moves a row to the front', 'be', 'bedca'],
  ['keeps a row that is not stored yet in front', 'dc', 'edcba'],
])('%s', (_case, newest, expected) => {
  const merged = mergeNewest(loaded, pageOf(newest, 'x', 'new'))
  expect(idsOf(merged?.pages ?? [])).toBe(expected)
  expect(merged?.pages[0]?.nextCursor).toBe('c')
  expect(merged?.pages[0]?.items.filter(({ text }) => text === 'new')).toHaveLength(newest.length)
})

it('starts the list again when rows may be missing between the newest and the loaded ones', () => {
  const newest = pageOf('kji', 'i')
  expect(mergeNewest(loaded, newest)).toEqual({ pages: [newest], pageParams: [startCursor] })
})

it('adds nothing to a list that is not loaded', () => {
  expect(mergeNewest(undefined, pageOf('e'))).toBeUndefined()
})
