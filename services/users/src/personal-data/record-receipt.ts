import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import { eraseBlocks } from '../block/block-member.ts'
import type { Context } from '../context.ts'
import type { Trx } from '../db.ts'
import { deleteSaleCount } from '../profile/profiles.repo.ts'
import { revokeSessions } from '../session/revoke-session.ts'
import { collectAccount, eraseAccount, lockAccount, lockLiveSessions } from './account-data.repo.ts'
import { nextState, ownService, participants, currentStep, type PersonalDataRequest } from './request.ts'
import { personalDataRequested } from './requests.events.ts'
import { insertReceipt, lockRequest, readReceipts, updateState, type Receipt } from './requests.repo.ts'

type ReceiptContext = Pick<Context, 'db' | 'settings'>

/**
 * Stores a receipt: a service's report that it has completed the current step of a personal data request. Once all
 * services have reported, the request advances to its next step.
 */
export function recordReceipt({ db, settings }: ReceiptContext, requestId: string, receipt: Receipt): Promise<void> {
  return transaction(db, async (trx) => {
    const request = await lockRequest(trx, requestId)
    // Ignores a receipt for an unknown request, or for a step that is not current, for example a repeated delivery.
    if (!request || currentStep(request.state) !== receipt.step) return
    await insertReceipt(trx, requestId, receipt)
    const receipts = (await readReceipts(trx, requestId)).filter(({ step }) => step === receipt.step)
    const services = new Set(receipts.map(({ service }) => service))
    if (participants.some((service) => !services.has(service))) return
    await advanceRequest(trx, settings, request, receipts)
  })
}

async function advanceRequest(
  trx: Trx,
  settings: ReceiptContext['settings'],
  request: PersonalDataRequest,
  receipts: readonly Receipt[],
): Promise<void> {
  const next = nextState(
    request.state,
    receipts.map(({ receipt }) => receipt),
  )
  if (next === 'erasing') await startErasure(trx, settings, request)
  if (request.state === 'exporting') {
    const receipt = await collectAccount(trx, request.accountId)
    await insertReceipt(trx, request.id, { service: ownService, step: 'export', receipt })
  }
  await updateState(trx, request.id, next)
}

// Revokes the account's sessions, erases the users service's own data and asks the other services to erase theirs. The
// sessions are revoked first, so that the user cannot create data in a service that has already erased the user's data.
async function startErasure(
  trx: Trx,
  settings: ReceiptContext['settings'],
  request: PersonalDataRequest,
): Promise<void> {
  // Locked before its sessions, in the order of a sign-in, so that the two cannot deadlock and the erasure finds every
  // session.
  await lockAccount(trx, request.accountId)
  const sessions = await lockLiveSessions(trx, request.accountId)
  const now = await databaseTime(trx)
  await revokeSessions(trx, sessions, now, settings)
  const account = await eraseAccount(trx, request.accountId)
  const receipt = {
    ...account,
    blocks: await eraseBlocks(trx, request.accountId),
    'sale count': await deleteSaleCount(trx, request.accountId),
  }
  await insertReceipt(trx, request.id, { service: ownService, step: 'erase', receipt })
  await publish(trx, personalDataRequested(request, 'erase'))
}
