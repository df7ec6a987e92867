import { afterEach, expect, it, vi } from 'vitest'
import { isId, newId } from './ids.ts'

afterEach(() => vi.useRealTimers())

// Turns red without the counter: within a millisecond the order would be random.
it('makes ids that differ and rise, many in a millisecond and also while the clock goes back', () => {
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
