import { z } from 'zod'

const id = z.string()
const cents = z.number().int()
// By the clock of the load, ms: when the request was sent and when the response had arrived.
const requestTimes = { startedAt: z.number(), endedAt: z.number() }

/** What a load received: one entry for each acknowledged write, and for each read. */
export const JournalEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listing'), id, price: cents.nullable(), ...requestTimes }),
  z.object({
    kind: z.literal('bid'),
    id,
    listingId: id,
    amount: cents,
    currentBid: cents,
    bidCount: z.number(),
    /** When the auction ends, ms since the epoch. */
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
    /** Served from catalog's copy because auction was unavailable. */
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
