// `npm run trace -- <listing id>`: the life of one listing over all services, in order of time.
import { z } from 'zod'
import { adminAddress } from './admin-address.ts'
import { readLife, toLine } from './life/read-life.ts'
import { StartError } from './start-error.ts'

async function print(given: string | undefined): Promise<void> {
  const listingId = z.uuid().safeParse(given)
  if (!listingId.success) throw new StartError('Name a listing by its id: npm run trace -- <listing id>.')
  const moments = await readLife(adminAddress(), listingId.data)
  if (moments.length === 0) throw new StartError(`Nothing is known of a listing ${listingId.data}.`)
  process.stdout.write(`${moments.map(toLine).join('\n')}\n`)
}

try {
  await print(process.argv[2])
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
