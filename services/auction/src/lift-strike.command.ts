// Lifts the strike for an unpaid win. Usage: `npm run lift-strike -w services/auction -- <sale id> <reason>`.
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { liftStrike } from './bidder/strikes.ts'
import { readConfig } from './config.ts'
import type { AuctionTables } from './db.ts'

const messages = {
  lifted: 'The strike is lifted.',
  lifted_before: 'The strike was lifted before.',
  missing: 'This sale has no strike.',
} as const

const [saleId = '', ...words] = process.argv.slice(2)
const reason = words.join(' ').trim()

if (!isId(saleId) || reason === '')
  fail('A sale id and a reason are required: lift-strike.command.ts <sale id> <reason>.')
else await lift()

async function lift(): Promise<void> {
  const settings = readConfig()
  const db = openDatabase<AuctionTables>(settings.DATABASE_URL, () => undefined)
  try {
    const result = await liftStrike(db, { saleId, reason }, settings)
    if (result === 'missing') fail(messages.missing)
    else process.stdout.write(`${messages[result]}\n`)
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  } finally {
    await db.destroy()
  }
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
