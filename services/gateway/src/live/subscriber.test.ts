import { newId } from '@marketplace/kit/values/ids.ts'
import { cents } from '@marketplace/kit/values/money.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toEvent, type StateEvent } from './auction-state.view.ts'
import { Subscriber } from './subscriber.ts'

const listingId = newId()
const endsAt = new Date().toISOString()
const state = (number: number, isActive = true): StateEvent =>
  toEvent(
    { listingId, currentBid: cents(number * 100), bidCount: number, endsAt, isActive, number, bids: [] },
    new Date(),
  )

const maxStalledMs = 30_000

/** Creates a subscriber with a simulated client, and reads the numbers of the states that were sent. */
function createSubscriber(lastNumber: number | null = null) {
  const client = { isSlow: false, text: '', hasEnded: false, isGone: false }
  const closeListeners: (() => void)[] = []
  const subscriber = new Subscriber({
    lastNumber,
    sink: {
      write: (text) => (client.text += text),
      end: () => (client.hasEnded = true),
      destroy: () => (client.isGone = true),
      on: (_event, listener) => closeListeners.push(listener),
      get writableLength() {
        return client.isSlow ? 1 : 0
      },
      get destroyed() {
        return client.isGone
      },
    },
  })
  return {
    subscriber,
    client,
    /** Simulates that the connection closes by itself. */
    emitClose: () => closeListeners.forEach((listener) => listener()),
    numbers: () => [...client.text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number)),
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('a subscriber', () => {
  it('gets only the latest state once its slow client reads again', () => {
    const { subscriber, client, numbers } = createSubscriber()
    subscriber.open()
    subscriber.offer(state(1))
    client.isSlow = true
    vi.advanceTimersByTime(1000)
    const whileStalled = [2, 3, 4].map((number) => subscriber.offer(state(number)))
    client.isSlow = false
    const afterwards = subscriber.offer(state(5))

    expect([...whileStalled, afterwards]).toEqual([false, false, false, true])
    expect(numbers()).toEqual([1, 5])
  })

  it('gets two states at least 250 ms apart', () => {
    const { subscriber, numbers } = createSubscriber()
    subscriber.open()
    const first = subscriber.offer(state(1))
    vi.advanceTimersByTime(249)
    const tooSoon = subscriber.offer(state(2))
    vi.advanceTimersByTime(1)
    const inTime = subscriber.offer(state(3))

    expect([first, tooSoon, inTime]).toEqual([true, false, true])
    expect(numbers()).toEqual([1, 3])
  })

  it('skips a state that its client already has', () => {
    const { subscriber, client } = createSubscriber(5)
    subscriber.open()
    client.isSlow = true

    // `offer` returns false only for the newer state, which has to be sent later because the client is slow.
    expect([subscriber.offer(state(4)), subscriber.offer(state(5))]).toEqual([true, false])
  })

  it('is disconnected when its client reads nothing for 30 s', () => {
    const { subscriber, client } = createSubscriber()
    subscriber.open()
    client.isSlow = true
    subscriber.heartbeat()
    vi.advanceTimersByTime(maxStalledMs)
    subscriber.heartbeat()
    expect(subscriber.isClosed).toBe(false)
    vi.advanceTimersByTime(1)
    subscriber.heartbeat()

    expect(subscriber.isClosed).toBe(true)
  })

  it('is disconnected when its client reads nothing for 30 s after the end', () => {
    const { subscriber, client } = createSubscriber()
    subscriber.open()
    client.isSlow = true
    subscriber.finish(state(1, false))
    vi.advanceTimersByTime(maxStalledMs - 1)
    expect([client.hasEnded, client.isGone]).toEqual([true, false])
    vi.advanceTimersByTime(1)

    expect(client.isGone).toBe(true)
  })

  it('is disconnected when its client reads nothing for 5 s after its stream ended before the auction', () => {
    const { subscriber, client } = createSubscriber()
    subscriber.open()
    client.isSlow = true
    subscriber.finish(state(1))
    vi.advanceTimersByTime(4999)
    expect([client.hasEnded, client.isGone]).toEqual([true, false])
    vi.advanceTimersByTime(1)

    expect(client.isGone).toBe(true)
  })

  it('leaves no timer when its client reads the end', () => {
    const { subscriber, client, emitClose } = createSubscriber()
    subscriber.finish(state(1, false))
    subscriber.open()
    const timersBefore = vi.getTimerCount()
    emitClose()

    expect([timersBefore, vi.getTimerCount(), client.isGone]).toEqual([1, 0, false])
  })

  it('buffers the first state and the end until the response headers are sent', () => {
    const { subscriber, client, numbers } = createSubscriber()
    const offered = [subscriber.offer(state(1)), subscriber.offer(state(2))]
    subscriber.finish(state(3, false))
    expect([client.text, client.hasEnded]).toEqual(['', false])
    subscriber.open()

    expect(offered).toEqual([true, false])
    expect(client.text).toMatch(/^retry: \d{4}\n\n/)
    expect([numbers(), client.hasEnded]).toEqual([[1, 3], true])
  })
})
