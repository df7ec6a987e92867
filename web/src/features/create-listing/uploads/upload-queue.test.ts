import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createUploadQueue } from './upload-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue whose uploads end when the test says so. */
function startQueue() {
  const started: string[] = []
  const givenUp: string[] = []
  const ends = new Map<string, (outcome: 'done' | 'retry') => void>()
  const queue = createUploadQueue({
    upload: (key) => {
      started.push(key)
      return new Promise((resolve) => ends.set(key, resolve))
    },
    onWaiting: () => {},
    onGivenUp: (key) => givenUp.push(key),
  })
  const end = async (key: string, outcome: 'done' | 'retry') => {
    ends.get(key)?.(outcome)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { queue, started, givenUp, end }
}

it('PHOTO-23 runs three uploads at a time, in order', async () => {
  const { queue, started, end } = startQueue()
  for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key)
  queue.add('a')
  expect(started).toEqual(['a', 'b', 'c'])
  await end('b', 'done')
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

it('PHOTO-24 retries a failed upload after 1, 4 and 15 s, then gives up', async () => {
  const { queue, started, givenUp, end } = startQueue()
  queue.add('a')
  for (const delay of [1000, 4000, 15_000]) {
    const before = started.length
    await end('a', 'retry')
    await vi.advanceTimersByTimeAsync(delay - 1)
    expect(started).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(started).toHaveLength(before + 1)
  }
  expect(givenUp).toEqual([])
  await end('a', 'retry')
  expect(givenUp).toEqual(['a'])
  queue.add('a')
  expect(started).toHaveLength(5)
})

it('forgets an upload that was removed before it started or while it waits for a retry', async () => {
  const { queue, started, givenUp, end } = startQueue()
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key)
  queue.remove('d')
  await end('a', 'retry')
  queue.remove('a')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(started).toEqual(['a', 'b', 'c'])
  expect(givenUp).toEqual([])
})
