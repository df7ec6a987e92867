import { z } from 'zod'
import { readTimeline, toLine } from '../timeline/read-timeline.ts'
import type { Command } from './command.ts'

/**
 * Prints the timeline of one listing across all services. The listing's id is the argument or, for a Kubernetes Job,
 * LISTING_ID.
 */
export const timeline: Command = async ([given], environment) => {
  const { DATABASE_URL: databaseUrl, LISTING_ID: id } = environment
  if (!databaseUrl) throw new Error('DATABASE_URL is required: the marketplace database, as an administrator.')
  const listingId = z.uuid().safeParse(given ?? id)
  if (!listingId.success) throw new Error('A listing id is required: npm run trace -- <listing id>.')
  const entries = await readTimeline(databaseUrl, listingId.data)
  if (entries.length === 0) throw new Error(`No service has a record of listing ${listingId.data}.`)
  process.stdout.write(`${entries.map(toLine).join('\n')}\n`)
  return 0
}
