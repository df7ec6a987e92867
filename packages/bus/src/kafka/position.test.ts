import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '@marketplace/kit/events/events.fixture.ts'
import { TailPosition } from './position.ts'

const second = 1000

describe('a tail of two brokers', () => {
  let position: TailPosition

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
    position = new TailPosition({ topic: 'test', since: new Date(), handler: () => undefined }, silentLog)
  })
  afterEach(() => void vi.useRealTimers())

  /** Fetches from broker 2 every second. */
  function fetchFor(seconds: number): void {
    for (let passed = 0; passed < seconds; passed += 1) {
      position.recordFetchStart(2)
      vi.advanceTimersByTime(second)
      position.recordFetchEnd(2)
    }
  }

  it('is reading while both respond, and not 5 s after the last response', () => {
    position.recordFetchStart(1)
    position.recordFetchEnd(1)
    fetchFor(30)
    expect(position.isReading()).toBe(true)
    vi.advanceTimersByTime(5 * second)
    expect(position.isReading()).toBe(false)
  })

  it('is not reading while one has been silent for 5 s and the other responds', () => {
    position.recordFetchStart(1)
    fetchFor(4)
    expect(position.isReading()).toBe(true)
    fetchFor(1)
    expect(position.isReading()).toBe(false)
    position.recordFetchEnd(1)
    expect(position.isReading()).toBe(true)
  })

  it('is not reading while the fetches from one fail and are repeated', () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      position.recordFetchStart(1)
      fetchFor(1)
    }
    expect(position.isReading()).toBe(false)
  })

  it('is reading again when a new consumer has replaced the one with a silent broker', () => {
    position.recordFetchStart(1)
    fetchFor(5)
    position.clearFetches()
    fetchFor(1)
    expect(position.isReading()).toBe(true)
  })

  it('is reading again 20 s after a failed fetch from a broker that has left, until it is silent again', () => {
    position.recordFetchStart(1)
    fetchFor(19)
    expect(position.isReading()).toBe(false)
    fetchFor(1)
    expect(position.isReading()).toBe(true)
    position.recordFetchStart(1)
    fetchFor(5)
    expect(position.isReading()).toBe(false)
  })
})
