import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import './request-queue-patch.ts'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

const startedAt = new Date('2026-11-23T12:00:00Z')

describe('the request queue of kafkajs', () => {
  let queue: RequestQueue
  let sent: number[]

  beforeEach(() => {
    vi.useFakeTimers({ now: startedAt })
    sent = []
    queue = newQueue()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  function newQueue(maxInFlightRequests: number | null = null): RequestQueue {
    return new RequestQueue({
      maxInFlightRequests,
      requestTimeout: 1000,
      // Disabled, because request timeouts would set another timer.
      enforceRequestTimeout: false,
      clientId: 'test',
      broker: 'broker:9092',
      logger: { debug: () => undefined, warn: () => undefined },
    })
  }

  function push(correlationId: number): void {
    const settle = { resolve: () => undefined, reject: () => undefined }
    const entry = { correlationId, apiKey: 1, apiName: 'Fetch', apiVersion: 1, ...settle }
    queue.push({ entry, expectResponse: true, sendRequest: () => void sent.push(correlationId) })
  }

  const fulfill = (correlationId: number) => queue.fulfillRequest({ correlationId, payload: Buffer.alloc(0), size: 0 })

  // If this test fails, review the replaced method for the new version of kafkajs.
  it('has the version that the patch was written for', async () => {
    const file = await readFile(fileURLToPath(import.meta.resolve('kafkajs/package.json')), 'utf8')
    expect(z.object({ version: z.string() }).parse(JSON.parse(file)).version).toBe('2.2.4')
  })

  it('sets no timer without pending requests', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    for (const correlationId of [1, 2, 3]) {
      push(correlationId)
      fulfill(correlationId)
      vi.advanceTimersByTime(1000)
    }
    expect(sent).toEqual([1, 2, 3])
    expect(timers).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends throttled requests after the throttle with one non-negative timer', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout')
    queue.maybeThrottle(500)
    push(1)
    push(2)
    vi.advanceTimersByTime(499)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sent).toEqual([1, 2])
    expect(timers.mock.calls.map(([, delay]) => delay)).toEqual([500])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('waits longer if it is throttled again', () => {
    queue.maybeThrottle(100)
    push(1)
    queue.maybeThrottle(300)
    vi.advanceTimersByTime(299)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sent).toEqual([1])
  })

  it('sends a request whose throttle ends between two reads of the clock', () => {
    const now = startedAt.getTime()
    queue.throttledUntil = now + 1
    // The queue reads the clock three times: for the push, for queueing and for the timer's delay.
    vi.spyOn(Date, 'now')
      .mockReturnValueOnce(now)
      .mockReturnValueOnce(now)
      .mockReturnValue(now + 1)
    push(1)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(10)
    expect(sent).toEqual([1])
  })

  it('sends a queued request when an in-flight request completes', () => {
    queue = newQueue(1)
    push(1)
    push(2)
    push(3)
    expect(sent).toEqual([1])
    fulfill(1)
    expect(sent).toEqual([1, 2])
    fulfill(2)
    fulfill(3)
    expect(sent).toEqual([1, 2, 3])
    vi.advanceTimersByTime(1000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('clears its timer when it is destroyed', () => {
    queue.maybeThrottle(500)
    push(1)
    queue.destroy()
    expect(vi.getTimerCount()).toBe(0)
  })
})
