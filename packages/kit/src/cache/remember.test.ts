import { eventually } from '@marketplace/testing/eventually.ts'
import { expect, it, vi } from 'vitest'
import { remember } from './remember.ts'

it('loads a value once until its time to live has passed, also for concurrent calls', async () => {
  const load = vi.fn(async (key: string) => `${key} ${load.mock.calls.length}`)
  const read = remember({ ttlMs: 60_000, max: 2, load })
  expect(await Promise.all([read('a'), read('a')])).toEqual(['a 1', 'a 1'])
  expect(await read('a')).toBe('a 1')
})

it('loads a value again after its time to live', async () => {
  const load = vi.fn(async () => load.mock.calls.length)
  const read = remember({ ttlMs: 1, max: 2, load })
  expect(await read('a')).toBe(1)
  await eventually(async () => (await read('a')) > 1)
})

it('keeps at most the given number of values', async () => {
  const load = vi.fn(async (key: string) => key)
  const read = remember({ ttlMs: 60_000, max: 2, load })
  for (const key of ['a', 'b', 'c', 'c', 'a']) await read(key)
  expect(load.mock.calls.map(([key]) => key)).toEqual(['a', 'b', 'c', 'a'])
})

it('loads again after an error', async () => {
  const load = vi.fn(async () => 'value').mockRejectedValueOnce(new Error('The database is down.'))
  const read = remember({ ttlMs: 60_000, max: 2, load })
  await expect(read('a')).rejects.toThrow('The database is down.')
  expect(await read('a')).toBe('value')
})
