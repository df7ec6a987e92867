import { z } from 'zod'

const id = z.string()
const cents = z.number().int()
// By the clock of the one who asked: when the request was sent, and when its answer had come.
const asked = { startedAt: z.number(), endedAt: z.number() }

/** What a load was answered: a line for each write that was acknowledged, and for what it then saw. */
export const JournalEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listing'), id, price: cents.nullable(), ...asked }),
  z.object({
    kind: z.literal('bid'),
    id,
    listingId: id,
    amount: cents,
    currentBid: cents,
    bidCount: z.number(),
    /** When the auction ends, ms. */
    endsAt: z.number(),
    ...asked,
  }),
  z.object({ kind: z.literal('intent'), intentId: id, listingId: id, amount: cents, ...asked }),
  z.object({ kind: z.literal('paid'), intentId: id, listingId: id, ...asked }),
  z.object({ kind: z.literal('cancelled'), intentId: id, listingId: id, ...asked }),
  z.object({ kind: z.literal('offer'), id, listingId: id, amount: cents, ...asked }),
  z.object({ kind: z.literal('message'), conversationId: id, senderId: id, text: z.string(), ...asked }),
  z.object({ kind: z.literal('mark-read'), conversationId: id, readerId: id, ...asked }),
  z.object({
    kind: z.literal('saw'),
    listingId: id,
    currentBid: cents.nullable(),
    bidCount: z.number(),
    /** Answered from what catalog knew, auction being away. */
    isStale: z.boolean(),
    ...asked,
  }),
  z.object({ kind: z.literal('unread'), conversationId: id, readerId: id, count: z.number(), ...asked }),
])

export type JournalEntry = z.output<typeof JournalEntry>
export type EntryOf<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { kind: Kind }>

/** Reads a journal file: one entry per line, as JSON. */
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
