import pg from 'pg'
import { lifeOfListing } from './sources.ts'

export interface Moment {
  at: Date
  service: string
  what: string
}

/** What every service knows of a listing, in order of time. Events are known for as long as outboxes keep them. */
export async function readLife(adminUrl: string, listingId: string): Promise<Moment[]> {
  const client = new pg.Client({ connectionString: adminUrl, statement_timeout: 60_000 })
  await client.connect()
  try {
    const { rows } = await client.query<Moment>(lifeOfListing, [listingId])
    return rows
  } finally {
    await client.end()
  }
}

export function toLine({ at, service, what }: Moment): string {
  return `${at.toISOString()}  ${service.padEnd(9)}  ${what}`
}
