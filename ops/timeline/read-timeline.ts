import pg from 'pg'
import { timelineQuery } from './sources.ts'

export interface TimelineEntry {
  at: Date
  service: string
  what: string
}

/**
 * Returns what each service stores about a listing, ordered by time. Events are included only until their outbox rows are
 * deleted.
 */
export async function readTimeline(adminUrl: string, listingId: string): Promise<TimelineEntry[]> {
  const client = new pg.Client({ connectionString: adminUrl, statement_timeout: 60_000 })
  await client.connect()
  try {
    const { rows } = await client.query<TimelineEntry>(timelineQuery, [listingId])
    return rows
  } finally {
    await client.end()
  }
}

export function toLine({ at, service, what }: TimelineEntry): string {
  return `${at.toISOString()}  ${service.padEnd(9)}  ${what}`
}
