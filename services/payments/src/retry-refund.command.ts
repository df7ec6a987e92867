// Requests a sale's stuck refund again.
// Usage: `npm run retry-refund -w services/payments -- <sale id> <reason>`.
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { readConfig } from './config.ts'
import type { PaymentsTables } from './db.ts'
import { retryRefund } from './refund/stuck-refunds.ts'

const [saleId = '', ...words] = process.argv.slice(2)
const reason = words.join(' ').trim()

if (!isId(saleId) || reason === '')
  fail('A sale id and a reason are required: retry-refund.command.ts <sale id> <reason>.')
else await retry()

async function retry(): Promise<void> {
  const db = openDatabase<PaymentsTables>(readConfig().DATABASE_URL, () => undefined)
  try {
    if (await retryRefund(db, { saleId, reason })) process.stdout.write('The refund will be requested again.\n')
    else fail('This sale has no stuck refund that can be requested. The provider decides a pending one.')
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
