// Bids on an auction with a long history, with and without people who follow it.
import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import { cookieNames } from '@marketplace/kit/auth/cookies.ts'
import type { TestKeys } from '@marketplace/testing/keys.ts'
import type pg from 'pg'
import { listAuctions, makeBidders, type Bidder } from '../events/auctions.ts'
import { measuresOf } from '../harness/closed-loop.ts'
import { compare, type Comparison, type Side } from '../harness/compare.ts'
import { openLoop } from '../harness/open-loop.ts'
import { connect } from '../harness/stack.ts'
import type { Goal } from '../report/bench.ts'
import { connectWatchers } from './watcher-process.ts'

const history = 2000
const watchers = 20
const bidsPerSecond = 10
const startingCents = 1000
const rounds = { warmUpMs: 2000, count: 4, ms: 10_000 }
const p50 = 'p50 ms'
const watched = `${watchers} subscribers`
const unwatched = 'no subscribers'

export const watchedBidsMethod = `The last comparison has ${watchers} subscribers of one auction with ${history.toLocaleString('en-US')} bids, and ${bidsPerSecond} bids a second (open loop), each by another signed-in user through the same gateway; the other side is the same without subscribers. Subscribers behave as the page does: they read nothing but the stream, whose states contain the newest five bids.`

export async function measureWatchedBids(stack: Stack, keys: TestKeys): Promise<Comparison> {
  const admin = await connect(stack.adminUrl, 'auction')
  try {
    const bidders = await makeBidders(keys, 50)
    const sides = [side(unwatched, 0), side(watched, watchers)]
    return await compare(`auction with ${history.toLocaleString('en-US')} bids`, sides, rounds)

    function side(name: string, count: number): Side {
      return {
        name,
        async run(ms) {
          const [listingId = ''] = await listAuctions(stack.services.catalog.url, keys, 1)
          await insertHistory(admin, listingId)
          const path = `/api/auctions/${listingId}/stream`
          const crowd = count === 0 ? undefined : await connectWatchers(stack.services.gateway.url, path, count)
          const run = await openLoop(bidsPerSecond, ms, (number) => bid(stack, { listingId, number, bidders }))
          await crowd?.close()
          return measuresOf(run, 'bids')
        },
      }
    }
  } finally {
    await admin.end()
  }
}

export function watchedBidsGoal(comparison: Comparison): Goal {
  return {
    goal: `Live: p50 of a bid with ${watchers} subscribers of 2,000 bids ÷ without subscribers`,
    bound: 'at most',
    target: 2,
    values: comparison.ratio(p50, watched, unwatched),
  }
}

async function insertHistory(admin: pg.Client, listingId: string): Promise<void> {
  await admin.query(
    `with bid as (
       insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
       select gen_random_uuid(), $1, n, $2 + n, gen_random_uuid(), 'A***e', clock_timestamp() from generate_series(1, $3::int) n
       returning id, number, amount, bidder_id
     )
     update auctions set leading_bid_id = bid.id, leader_id = bid.bidder_id, current_bid = bid.amount, bid_count = $3, number = $3
     from bid where bid.number = $3 and auctions.listing_id = $1`,
    [listingId, startingCents, history],
  )
}

async function bid(
  stack: Stack,
  { listingId, number, bidders }: { listingId: string; number: number; bidders: readonly Bidder[] },
): Promise<boolean> {
  const { authorization = '' } = bidders[number % bidders.length] ?? {}
  const response = await fetch(`${stack.services.gateway.url}/api/bids`, {
    method: 'POST',
    headers: {
      cookie: `${cookieNames(stack.url).access}=${authorization.replace('Bearer ', '')}`,
      origin: stack.url,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ listing_id: listingId, amount: (startingCents + history + 1 + number) / 100 }),
  })
  await response.text()
  // A bid that arrives after a later one is too low.
  if (response.status !== 201 && response.status !== 409) throw new Error(`A bid responded ${response.status}.`)
  return response.status === 201
}
