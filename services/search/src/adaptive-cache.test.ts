import { expect, it } from 'vitest'
import { createAdaptiveCache } from './adaptive-cache.ts'

it('returns a value whose entry was evicted while it was computed', async () => {
  const read = createAdaptiveCache<string>(1, (key) => new Promise((resolve) => setImmediate(() => resolve(key))))
  expect(await Promise.all([read('a'), read('b')])).toEqual(['a', 'b'])
})
