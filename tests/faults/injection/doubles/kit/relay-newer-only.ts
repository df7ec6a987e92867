import { readUnpublished as read } from '@marketplace/kit/events/outbox-rows.ts'

export * from '@marketplace/kit/events/outbox-rows.ts'

let lastSeen = 0

/** Skips rows whose number is below one that was read before, although numbers are allocated before the commit. */
export async function readUnpublished(...args: Parameters<typeof read>): ReturnType<typeof read> {
  const rows = (await read(...args)).filter(({ seq }) => Number(seq) > lastSeen)
  lastSeen = Number(rows.at(-1)?.seq ?? lastSeen)
  return rows
}
