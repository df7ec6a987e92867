// `npm run personal-data -w services/users -- export|erase <account id or e-mail>`: prints the receipt of every service.
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@marketplace/kit/db.ts'
import { readCommandConfig } from './config.ts'
import type { Db, UsersTables } from './db.ts'
import { findAccountId } from './personal-data/account-data.repo.ts'
import { beginRequest } from './personal-data/begin-request.ts'
import { stepOf, type RequestState } from './personal-data/request.ts'
import { findState, readReceipts } from './personal-data/requests.repo.ts'

const pollMs = 200

async function follow(db: Db, requestId: string, patienceMs: number): Promise<RequestState> {
  const end = performance.now() + patienceMs
  for (;;) {
    const state = (await findState(db, requestId)) ?? 'done'
    if (stepOf(state) === null || performance.now() > end) return state
    await sleep(pollMs)
  }
}

async function run(db: Db, patienceMs: number): Promise<string> {
  const [verb, given = ''] = process.argv.slice(2)
  if (verb !== 'export' && verb !== 'erase')
    throw new Error('Say export or erase, and whose: an account’s id or e-mail.')
  const accountId = await findAccountId(db, given)
  if (accountId === undefined) throw new Error(`There is no one account of ${given}.`)
  const requestId = await beginRequest(db, accountId, verb === 'export' ? 'export' : 'erasure')
  const state = await follow(db, requestId, patienceMs)
  const receipts = await readReceipts(db, requestId)
  process.exitCode = state === 'done' ? 0 : 1
  return JSON.stringify({ requestId, accountId, state, receipts }, null, 2)
}

const settings = readCommandConfig()
const db = openDatabase<UsersTables>(settings.DATABASE_URL, () => undefined)
try {
  process.stdout.write(`${await run(db, settings.PATIENCE_MS)}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await db.destroy()
}
