import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchedQuery } from './watchlist.ts'

const send = vi.fn(async () => Response.json({ isWatched: true }))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', send)
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(path: string, init: RequestInit) {
        super(new URL(path, 'https://marketplace.example'), init)
      }
    },
  )
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('the checks of several cards are sent in one task each', async () => {
  const client = new QueryClient()
  const checks = ['1', '2', '3'].map((id) => client.query(watchedQuery(id)))
  for (const sent of [1, 2, 3]) {
    await vi.runOnlyPendingTimersAsync()
    expect(send).toHaveBeenCalledTimes(sent)
  }
  expect(await Promise.all(checks)).toEqual(Array.from({ length: 3 }, () => ({ isWatched: true })))
})
