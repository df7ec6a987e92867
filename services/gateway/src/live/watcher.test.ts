import { newId } from '@marketplace/kit/ids.ts'
import { cents } from '@marketplace/kit/money.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toEvent, type StateEvent } from './auction-state.view.ts'
import { Watcher } from './watcher.ts'

const listingId = newId()
const endsAt = new Date().toISOString()
const state = (number: number, isActive = true): StateEvent =>
  toEvent({ listingId, currentBid: cents(number * 100), bidCount: number, endsAt, isActive, number }, new Date())

/** A watcher whose client reads, and the numbers that it got. */
async function watching(isHeldUp: () => boolean) {
  const watcher = new Watcher({ lastNumber: null, isHeldUp })
  let text = ''
  watcher.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await new Promise((resolve) => setImmediate(resolve))
  return { watcher, numbers: () => [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number)) }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

describe('a watcher', () => {
  it('that reads slowly gets the newest state alone, once it reads again', async () => {
    let isHeldUp = false
    const { watcher, numbers } = await watching(() => isHeldUp)
    watcher.offer(state(1))
    isHeldUp = true
    vi.advanceTimersByTime(1000)
    const whileHeldUp = [2, 3, 4].map((number) => watcher.offer(state(number)))
    isHeldUp = false
    const afterwards = watcher.offer(state(5))

    expect([...whileHeldUp, afterwards]).toEqual([false, false, false, true])
    expect(numbers()).toEqual([1, 5])
  })

  it('has to wait a quarter of a second between two states', async () => {
    const { watcher, numbers } = await watching(() => false)
    const first = watcher.offer(state(1))
    vi.advanceTimersByTime(249)
    const tooSoon = watcher.offer(state(2))
    vi.advanceTimersByTime(1)
    const inTime = watcher.offer(state(3))

    expect([first, tooSoon, inTime]).toEqual([true, false, true])
    expect(numbers()).toEqual([1, 3])
  })

  it('takes what it knows already for no news', () => {
    const watcher = new Watcher({ lastNumber: 5, isHeldUp: () => true })

    // True: nothing has to wait, although nothing can be sent.
    expect([watcher.offer(state(4)), watcher.offer(state(5))]).toEqual([true, false])
  })

  it('that takes nothing for half a minute is given up', () => {
    const watcher = new Watcher({ lastNumber: null, isHeldUp: () => true })
    watcher.beat()
    vi.advanceTimersByTime(30_000)
    watcher.beat()
    expect(watcher.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    watcher.beat()

    expect(watcher.destroyed).toBe(true)
  })
})
