import { transaction } from '@marketplace/kit/db.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { publish } from '@marketplace/kit/outbox.ts'
import type { Db } from '../db.ts'
import { steps, type PersonalDataRequest, type RequestKind } from './request.ts'
import { personalDataRequested } from './requests.events.ts'
import { findOpenRequest, insertRequest } from './requests.repo.ts'

/** Asks every service for its part of a person's data, or whether it may be erased; the one that is open already goes on. */
export async function beginRequest(db: Db, accountId: string, kind: RequestKind): Promise<string> {
  const state = kind === 'export' ? 'exporting' : 'asking'
  const request: PersonalDataRequest = { id: newId(), accountId, kind, state }
  const isNew = await transaction(db, async (trx) => {
    if (!(await insertRequest(trx, request))) return false
    await publish(trx, personalDataRequested(request, steps[state]))
    return true
  })
  if (isNew) return request.id
  const open = await findOpenRequest(db, accountId, kind)
  // Over just now: begin anew.
  return open?.id ?? beginRequest(db, accountId, kind)
}
