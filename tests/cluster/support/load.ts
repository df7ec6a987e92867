import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketplaceClient } from '@marketplace/stack/demo/client.ts'

/** The outcome of a load: the number of successful requests, and the failures by path and status. */
export interface LoadResult {
  ok: number
  failed: Record<string, number>
  slowestMs: number
}

export interface LoadTarget {
  url: string
  fixedId: string
  auctionId: string
}

const pauseMs = 40
const requestTimeoutMs = 20_000

// At least one read of every service and of web.
const reads = ({ fixedId, auctionId }: LoadTarget): string[] => [
  '/api/categories',
  `/api/listings/${fixedId}`,
  `/api/auctions/${auctionId}/bids`,
  '/api/listings?limit=5',
  '/api/users/me',
  '/api/conversations',
  '/api/transactions',
  '/api/watchlist',
]

/** Sends requests to every service as several concurrent users while `work` runs, and counts the responses. */
export async function underLoad(
  target: LoadTarget,
  people: readonly MarketplaceClient[],
  work: () => Promise<void>,
): Promise<LoadResult> {
  const result: LoadResult = { ok: 0, failed: {}, slowestMs: 0 }
  const over = new AbortController()
  const one = async (person: MarketplaceClient, at: number) => {
    const paths = [...reads(target), '/']
    for (let turn = at; !over.signal.aborted; turn += 1) {
      await count(result, person, paths[turn % paths.length] ?? '/')
      await sleep(pauseMs)
    }
  }
  const load = people.map(one)
  try {
    // The load also runs before and after the work, since requests can be lost at either end.
    await sleep(1000)
    await work()
    await sleep(3000)
  } finally {
    over.abort()
    await Promise.all(load)
  }
  return result
}

async function count(result: LoadResult, person: MarketplaceClient, path: string): Promise<void> {
  const startedAt = performance.now()
  const outcome = await statusOf(person, path)
  result.slowestMs = Math.max(result.slowestMs, Math.round(performance.now() - startedAt))
  const name = `${path.replace(/[0-9a-f-]{36}/, '{id}')} ${outcome}`
  if (outcome === '200') result.ok += 1
  else result.failed[name] = (result.failed[name] ?? 0) + 1
}

// Opens a new connection for each request, so that the Service chooses a pod each time.
async function statusOf(person: MarketplaceClient, path: string): Promise<string> {
  try {
    return String(await person.statusOf(path, requestTimeoutMs))
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}
