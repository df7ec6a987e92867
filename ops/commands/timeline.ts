// Prints the timeline of one listing across all services: DATABASE_URL=… node commands/timeline.ts <listing id>.
import { z } from 'zod'
import { readTimeline, toLine } from '../timeline/read-timeline.ts'

async function printTimeline(id: string | undefined, databaseUrl: string | undefined): Promise<void> {
  if (!databaseUrl) throw new Error('DATABASE_URL is required: the marketplace database, as an administrator.')
  const listingId = z.uuid().safeParse(id)
  if (!listingId.success) throw new Error('A listing id is required: npm run trace -- <listing id>.')
  const entries = await readTimeline(databaseUrl, listingId.data)
  if (entries.length === 0) throw new Error(`No service has a record of listing ${listingId.data}.`)
  process.stdout.write(`${entries.map(toLine).join('\n')}\n`)
}

try {
  await printTimeline(process.argv[2], process.env['DATABASE_URL'])
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
