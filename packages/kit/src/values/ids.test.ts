import { afterEach, expect, it, vi } from 'vitest'
import { isId, newId } from './ids.ts'

afterEach(() => vi.useRealTimers())

// This test fails without the counter: the order within a millisecond would be random.
it('creates unique, ascending ids within a millisecond and while the clock goes backwards', () => {
  vi.useFakeTimers({ now: Date.now() + 1000 })
  const ids = Array.from({ length: 1000 }, newId)
  vi.setSystemTime(Date.now() - 500)
  ids.push(...Array.from({ length: 1000 }, newId))
  vi.setSystemTime(Date.now() + 1000)
  ids.push(newId())
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(2001)
  expect(ids.every(isId)).toBe(true)
})
