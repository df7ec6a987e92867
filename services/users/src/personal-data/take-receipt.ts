import { databaseTime, transaction } from '@marketplace/kit/db.ts'
import { publish } from '@marketplace/kit/outbox.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { revokeSession } from '../session/revoke-session.ts'
import { collectAccount, eraseAccount, listLiveSessions } from './account-data.repo.ts'
import { nextState, ownName, participants, stepOf, type PersonalDataRequest } from './request.ts'
import { personalDataRequested } from './requests.events.ts'
import { insertReceipt, lockRequest, readReceipts, saveState, type Receipt } from './requests.repo.ts'

type Ground = Pick<Context, 'db' | 'settings'>

/** Keeps a service's receipt; the last one of a step moves the request on. */
export function takeReceipt({ db, settings }: Ground, requestId: string, given: Receipt): Promise<void> {
  return transaction(db, async (trx) => {
    const request = await lockRequest(trx, requestId)
    // Told of a step that is over: it was answered twice.
    if (!request || stepOf(request.state) !== given.step) return
    await insertReceipt(trx, requestId, given)
    const receipts = (await readReceipts(trx, requestId)).filter(({ step }) => step === given.step)
    const services = new Set(receipts.map(({ service }) => service))
    if (participants.some((service) => !services.has(service))) return
    await moveOn(trx, settings, request, receipts)
  })
}

async function moveOn(
  trx: Trx,
  settings: Ground['settings'],
  request: PersonalDataRequest,
  receipts: readonly Receipt[],
): Promise<void> {
  const next = nextState(
    request.state,
    receipts.map(({ receipt }) => receipt),
  )
  if (next === 'erasing') await beginErasing(trx, settings, request)
  if (request.state === 'exporting') {
    const receipt = await collectAccount(trx, request.accountId)
    await insertReceipt(trx, request.id, { service: ownName, step: 'export', receipt })
  }
  await saveState(trx, request.id, next)
}

// Users goes first: from this commit on nobody can sign in as this person, so that nothing of theirs begins any more.
async function beginErasing(trx: Trx, settings: Ground['settings'], request: PersonalDataRequest): Promise<void> {
  const sessions = await listLiveSessions(trx, request.accountId)
  const now = await databaseTime(trx)
  for (const session of sessions) await revokeSession(trx, session, now, settings)
  const receipt = await eraseAccount(trx, request.accountId)
  await insertReceipt(trx, request.id, { service: ownName, step: 'erase', receipt })
  await publish(trx, personalDataRequested(request, 'erase'))
}
