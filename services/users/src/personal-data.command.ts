// Exports or erases the personal data of an account and prints what each service reported.
// Usage: `npm run personal-data -w services/users -- export|erase <account id or email>`.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { readCommandConfig } from './config.ts'
import type { Db, UsersTables } from './db.ts'
import { findAccountId } from './personal-data/account-data.repo.ts'
import { createRequest } from './personal-data/create-request.ts'
import { currentStep, type RequestState } from './personal-data/request.ts'
import { findState, readReceipts } from './personal-data/requests.repo.ts'

const pollMs = 200

async function waitUntilFinished(db: Db, requestId: string, timeoutMs: number): Promise<RequestState> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const state = (await findState(db, requestId)) ?? 'done'
    if (currentStep(state) === null || performance.now() > end) return state
    await sleep(pollMs)
  }
}

async function run(db: Db, timeoutMs: number): Promise<string> {
  const [verb, idOrEmail = ''] = process.argv.slice(2)
  if (verb !== 'export' && verb !== 'erase') throw new Error('Usage: personal-data export|erase <account id or email>')
  const accountId = await findAccountId(db, idOrEmail)
  if (accountId === undefined) throw new Error(`Not exactly one account matches ${idOrEmail}.`)
  const requestId = await createRequest(db, accountId, verb === 'export' ? 'export' : 'erasure')
  const state = await waitUntilFinished(db, requestId, timeoutMs)
  const receipts = await readReceipts(db, requestId)
  process.exitCode = state === 'done' ? 0 : 1
  return JSON.stringify({ requestId, accountId, state, receipts }, null, 2)
}

const settings = readCommandConfig()
const db = openDatabase<UsersTables>(settings.DATABASE_URL, () => undefined)
try {
  process.stdout.write(`${await run(db, settings.RETRY_TIMEOUT_MS)}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await db.destroy()
}
