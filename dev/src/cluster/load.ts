import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketplaceClient } from '../client.ts'

/** How the requests of a time under load were answered: how many well, and what the others got. */
export interface Answered {
  ok: number
  failed: Record<string, number>
  slowestMs: number
}

export interface Market {
  url: string
  fixedId: string
  auctionId: string
}

const pauseMs = 40
const patienceMs = 20_000

// What each service answers, and web.
const reads = ({ fixedId, auctionId }: Market): string[] => [
  '/api/categories',
  `/api/listings/${fixedId}`,
  `/api/auctions/${auctionId}/bids`,
  '/api/listings?limit=5',
  '/api/users/me',
  '/api/conversations',
  '/api/transactions',
  '/api/watchlist',
]

/** Sends requests to every service, as several people at once, while the work goes on; counts each answer. */
export async function underLoad(
  market: Market,
  people: readonly MarketplaceClient[],
  work: () => Promise<void>,
): Promise<Answered> {
  const answered: Answered = { ok: 0, failed: {}, slowestMs: 0 }
  const over = new AbortController()
  const one = async (person: MarketplaceClient, at: number) => {
    const paths = [...reads(market), '/']
    for (let turn = at; !over.signal.aborted; turn += 1) {
      await count(answered, person, paths[turn % paths.length] ?? '/')
      await sleep(pauseMs)
    }
  }
  const load = people.map(one)
  try {
    // Also before and after: what is lost at the edges counts.
    await sleep(1000)
    await work()
    await sleep(3000)
  } finally {
    over.abort()
    await Promise.all(load)
  }
  return answered
}

async function count(answered: Answered, person: MarketplaceClient, path: string): Promise<void> {
  const startedAt = performance.now()
  const outcome = await statusOf(person, path)
  answered.slowestMs = Math.max(answered.slowestMs, Math.round(performance.now() - startedAt))
  const name = `${path.replace(/[0-9a-f-]{36}/, '{id}')} ${outcome}`
  if (outcome === '200') answered.ok += 1
  else answered.failed[name] = (answered.failed[name] ?? 0) + 1
}

// A new connection each, so that the Service chooses a pod each time.
async function statusOf(person: MarketplaceClient, path: string): Promise<string> {
  try {
    return String(await person.statusOf(path, patienceMs))
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}
