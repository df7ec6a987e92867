import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { publish } from '@marketplace/kit/events/outbox.ts'
import type { Db } from '../db.ts'
import { steps, type PersonalDataRequest, type RequestKind } from './request.ts'
import { personalDataRequested } from './requests.events.ts'
import { findOpenRequest, insertRequest } from './requests.repo.ts'

/**
 * Creates an export or erasure request, publishes the event that starts its first step, and returns the request's id.
 * If the account already has an open request of this kind, returns the id of the open request.
 */
export async function createRequest(db: Db, accountId: string, kind: RequestKind): Promise<string> {
  const state = kind === 'export' ? 'exporting' : 'asking'
  const request: PersonalDataRequest = { id: newId(), accountId, kind, state }
  const isNew = await transaction(db, async (trx) => {
    if (!(await insertRequest(trx, request))) return false
    await publish(trx, personalDataRequested(request, steps[state]))
    return true
  })
  if (isNew) return request.id
  const open = await findOpenRequest(db, accountId, kind)
  // If the open request is not found, it has finished since the insert failed, so the insert is tried again.
  return open?.id ?? createRequest(db, accountId, kind)
}
