import type { Violation } from './invariant.ts'
import { entriesOf, type JournalEntry } from './journal.ts'

interface Observation {
  listingId: string
  count: number
  price: number
  startedAt: number
  endedAt: number
}

// Tolerance in ms for accepted bids that were sent after the auction's end, because the load test's clock and the
// database's clock can differ.
const lateMs = 50

/**
 * Returns a violation for each price that decreased, and for each accepted bid that the load test sent more than 50 ms
 * after the auction's end.
 */
export function findOrderViolations(journal: readonly JournalEntry[]): Violation[] {
  return [...decreasingPrices(journal), ...lateBids(journal)]
}

// Compares each response with the responses received before its request was sent. Returns a violation if the price or
// the bid count is lower.
function decreasingPrices(journal: readonly JournalEntry[]): Violation[] {
  const observations = [
    ...entriesOf(journal, 'bid').map((bid) => ({ ...bid, count: bid.bidCount, price: bid.currentBid })),
    ...entriesOf(journal, 'saw')
      .filter(({ isStale }) => !isStale)
      .map((saw) => ({ ...saw, count: saw.bidCount, price: saw.currentBid ?? 0 })),
  ]
  return [...Map.groupBy(observations, ({ listingId }) => listingId).values()].flatMap(decreasesOf)
}

function decreasesOf(observations: readonly Observation[]): Violation[] {
  const completed = observations.toSorted((a, b) => a.endedAt - b.endedAt)
  const highest: Observation[] = []
  for (const observation of completed) if (observation.count > (highest.at(-1)?.count ?? -1)) highest.push(observation)
  return observations.flatMap((later) => {
    const before = highest.findLast(({ endedAt }) => endedAt < later.startedAt)
    if (!before || (later.count >= before.count && later.price >= before.price)) return []
    const message = `listing ${later.listingId}: ${before.price} after ${before.count} bids, then ${later.price} after ${later.count}`
    return [{ invariant: 'no current bid goes down', message }]
  })
}

function lateBids(journal: readonly JournalEntry[]): Violation[] {
  return entriesOf(journal, 'bid')
    .filter(({ startedAt, endsAt }) => startedAt > endsAt + lateMs)
    .map(({ id, listingId, startedAt, endsAt }) => ({
      invariant: 'nothing is accepted after the end',
      message: `listing ${listingId}: bid ${id} was sent ${Math.round(startedAt - endsAt)} ms after the end`,
    }))
}
