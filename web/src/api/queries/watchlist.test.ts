import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchedQuery } from './watchlist.ts'

// The tasks that were started. Calling one runs it.
const tasks: (() => void)[] = []

// Fake timers do not include messages.
class HeldMessages {
  #run = () => {}
  port1 = { addEventListener: (_type: string, run: () => void) => void (this.#run = run), start() {}, close() {} }
  port2 = { postMessage: () => void tasks.push(this.#run) }
}

const send = vi.fn(async () => Response.json({ isWatched: true }))

beforeEach(() => {
  vi.stubGlobal('fetch', send)
  vi.stubGlobal('MessageChannel', HeldMessages)
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(path: string, init: RequestInit) {
        super(new URL(path, 'https://marketplace.example'), init)
      }
    },
  )
})

afterEach(() => vi.unstubAllGlobals())

it('the checks of several cards are sent in one task each', async () => {
  const client = new QueryClient()
  const checks = ['1', '2', '3'].map((id) => client.query(watchedQuery(id)))
  for (const [sent, check] of checks.entries()) {
    await vi.waitUntil(() => tasks.length === 1)
    expect(send).toHaveBeenCalledTimes(sent)
    tasks.pop()?.()
    expect(await check).toEqual({ isWatched: true })
  }
})
