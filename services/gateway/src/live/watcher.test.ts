import { newId } from '@marketplace/kit/ids.ts'
import { cents } from '@marketplace/kit/money.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toEvent, type StateEvent } from './auction-state.view.ts'
import { Watcher } from './watcher.ts'

const listingId = newId()
const endsAt = new Date().toISOString()
const state = (number: number, isActive = true): StateEvent =>
  toEvent({ listingId, currentBid: cents(number * 100), bidCount: number, endsAt, isActive, number }, new Date())

/** A watcher, what its client does, and the numbers that it got. */
function watching(lastNumber: number | null = null) {
  const client = { isSlow: false, text: '', hasEnded: false, isGone: false }
  const watcher = new Watcher({
    lastNumber,
    sink: {
      write: (text) => (client.text += text),
      end: () => (client.hasEnded = true),
      destroy: () => (client.isGone = true),
      on: () => undefined,
      get writableLength() {
        return client.isSlow ? 1 : 0
      },
      get destroyed() {
        return client.isGone
      },
    },
  })
  return {
    watcher,
    client,
    numbers: () => [...client.text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number)),
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

describe('a watcher', () => {
  it('that reads slowly gets the newest state alone, once it reads again', () => {
    const { watcher, client, numbers } = watching()
    watcher.open()
    watcher.offer(state(1))
    client.isSlow = true
    vi.advanceTimersByTime(1000)
    const whileHeldUp = [2, 3, 4].map((number) => watcher.offer(state(number)))
    client.isSlow = false
    const afterwards = watcher.offer(state(5))

    expect([...whileHeldUp, afterwards]).toEqual([false, false, false, true])
    expect(numbers()).toEqual([1, 5])
  })

  it('has to wait a quarter of a second between two states', () => {
    const { watcher, numbers } = watching()
    watcher.open()
    const first = watcher.offer(state(1))
    vi.advanceTimersByTime(249)
    const tooSoon = watcher.offer(state(2))
    vi.advanceTimersByTime(1)
    const inTime = watcher.offer(state(3))

    expect([first, tooSoon, inTime]).toEqual([true, false, true])
    expect(numbers()).toEqual([1, 3])
  })

  it('takes what it knows already for no news', () => {
    const { watcher, client } = watching(5)
    watcher.open()
    client.isSlow = true

    // True: nothing has to wait, although nothing can be sent.
    expect([watcher.offer(state(4)), watcher.offer(state(5))]).toEqual([true, false])
  })

  it('that takes nothing for half a minute is given up', () => {
    const { watcher, client } = watching()
    watcher.open()
    client.isSlow = true
    watcher.beat()
    vi.advanceTimersByTime(30_000)
    watcher.beat()
    expect(watcher.isGone).toBe(false)
    vi.advanceTimersByTime(1)
    watcher.beat()

    expect(watcher.isGone).toBe(true)
  })

  it('keeps what it is told before the head is sent, the first state and the end', () => {
    const { watcher, client, numbers } = watching()
    const told = [watcher.offer(state(1)), watcher.offer(state(2))]
    watcher.finish(state(3, false))
    expect([client.text, client.hasEnded]).toEqual(['', false])
    watcher.open()

    expect(told).toEqual([true, false])
    expect(client.text).toMatch(/^retry: \d{4}\n\n/)
    expect([numbers(), client.hasEnded]).toEqual([[1, 3], true])
  })
})
