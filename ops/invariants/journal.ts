import { z } from 'zod'

const id = z.string()
const cents = z.number().int()
// When the load test sent the request and when it received the response, in ms by the load test's clock.
const requestTimes = { startedAt: z.number(), endedAt: z.number() }

/** An entry in a load test's journal: one acknowledged write or one read. */
export const JournalEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listing'), id, price: cents.nullable(), ...requestTimes }),
  z.object({
    kind: z.literal('bid'),
    id,
    listingId: id,
    amount: cents,
    currentBid: cents,
    bidCount: z.number(),
    /** End of the auction, in ms since the epoch. */
    endsAt: z.number(),
    ...requestTimes,
  }),
  z.object({ kind: z.literal('intent'), intentId: id, listingId: id, amount: cents, ...requestTimes }),
  z.object({ kind: z.literal('paid'), intentId: id, listingId: id, ...requestTimes }),
  z.object({ kind: z.literal('cancelled'), intentId: id, listingId: id, ...requestTimes }),
  z.object({ kind: z.literal('offer'), id, listingId: id, amount: cents, ...requestTimes }),
  z.object({ kind: z.literal('message'), conversationId: id, senderId: id, text: z.string(), ...requestTimes }),
  z.object({ kind: z.literal('mark-read'), conversationId: id, readerId: id, ...requestTimes }),
  z.object({
    kind: z.literal('saw'),
    listingId: id,
    currentBid: cents.nullable(),
    bidCount: z.number(),
    /** True if the price came from the copy in the catalog service, because the auction service was unavailable. */
    isStale: z.boolean(),
    ...requestTimes,
  }),
  z.object({ kind: z.literal('unread'), conversationId: id, readerId: id, count: z.number(), ...requestTimes }),
])

export type JournalEntry = z.output<typeof JournalEntry>
export type EntryOf<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { kind: Kind }>

/** Parses a journal file with one JSON entry per line. Throws for an invalid entry. */
export function parseJournal(text: string): JournalEntry[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JournalEntry.parse(JSON.parse(line)))
}

export function entriesOf<Kind extends JournalEntry['kind']>(
  journal: readonly JournalEntry[],
  kind: Kind,
): EntryOf<Kind>[] {
  const isOfKind = (entry: JournalEntry): entry is EntryOf<Kind> => entry.kind === kind
  return journal.filter(isOfKind)
}
