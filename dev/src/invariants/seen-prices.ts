import type { Finding } from './invariant.ts'
import { entriesOf, type JournalEntry } from './journal.ts'

interface Sight {
  listingId: string
  count: number
  price: number
  startedAt: number
  endedAt: number
}

// The load and the database are on one machine here; a bid sent this long after the end was late by any clock.
const lateMs = 50

/** What the load saw of prices, held to the order of its own requests. */
export function findSeenWrong(journal: readonly JournalEntry[]): Finding[] {
  return [...pricesThatFell(journal), ...bidsAfterTheEnd(journal)]
}

// Whoever asks after an answer was given sees what it told, or something later.
function pricesThatFell(journal: readonly JournalEntry[]): Finding[] {
  const sights = [
    ...entriesOf(journal, 'bid').map((bid) => ({ ...bid, count: bid.bidCount, price: bid.currentBid })),
    ...entriesOf(journal, 'saw')
      .filter(({ isStale }) => !isStale)
      .map((saw) => ({ ...saw, count: saw.bidCount, price: saw.currentBid ?? 0 })),
  ]
  return [...Map.groupBy(sights, ({ listingId }) => listingId).values()].flatMap(fallsOf)
}

function fallsOf(sights: readonly Sight[]): Finding[] {
  const answered = sights.toSorted((a, b) => a.endedAt - b.endedAt)
  const highest: Sight[] = []
  for (const sight of answered) if (sight.count > (highest.at(-1)?.count ?? -1)) highest.push(sight)
  return sights.flatMap((later) => {
    const before = highest.findLast(({ endedAt }) => endedAt < later.startedAt)
    if (!before || (later.count >= before.count && later.price >= before.price)) return []
    const finding = `listing ${later.listingId}: ${before.price} after ${before.count} bids, then ${later.price} after ${later.count}`
    return [{ invariant: 'nobody’s current bid goes down', finding }]
  })
}

function bidsAfterTheEnd(journal: readonly JournalEntry[]): Finding[] {
  return entriesOf(journal, 'bid')
    .filter(({ startedAt, endsAt }) => startedAt > endsAt + lateMs)
    .map(({ id, listingId, startedAt, endsAt }) => ({
      invariant: 'nothing is accepted after the end',
      finding: `listing ${listingId}: bid ${id} was sent ${Math.round(startedAt - endsAt)} ms after the end`,
    }))
}
