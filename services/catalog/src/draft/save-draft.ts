import { conflict, missing } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { DraftRow, Trx } from '../db.ts'
import { formatLimit } from '../quota/format-limit.ts'
import { lockQuota } from '../quota/quotas.repo.ts'
import { findDraftIds, findLastSave, upsertDraft } from './drafts.repo.ts'

export interface SaveDraftCommand {
  id: string
  ownerId: string
  body: object
  /** Time of the save on which the client's changes are based. Null if the client knows of no earlier save. */
  basedOn: Date | null
}

/**
 * Saves a draft under an id that the client generated. Throws `too_many_drafts` (409) if the owner's quota is used up,
 * `draft_changed` (409) if another body was saved after `basedOn`, or `missing` (404) for another person's draft.
 */
export async function saveDraft(
  { settings: { MAX_DRAFTS: max } }: Pick<Context, 'settings'>,
  trx: Trx,
  command: SaveDraftCommand,
): Promise<DraftRow> {
  await lockQuota(trx, 'drafts', command.ownerId)
  const ids = await findDraftIds(trx, command.ownerId, max)
  if (ids.length >= max && !ids.includes(command.id)) {
    throw conflict('too_many_drafts', `You've reached the limit of ${formatLimit(max)} drafts. Delete one first.`)
  }
  await checkLastSave(trx, command)
  const draft = await upsertDraft(trx, command)
  if (!draft) throw missing('draft')
  return draft
}

// An equal stored body is no conflict, because the client might be retrying a save whose response was lost.
async function checkLastSave(trx: Trx, { basedOn, ...save }: SaveDraftCommand): Promise<void> {
  if (basedOn === null) return
  const last = await findLastSave(trx, save)
  if (last === undefined || last.isSame || last.savedAt.getTime() === basedOn.getTime()) return
  throw conflict('draft_changed', 'This draft was changed in another tab or on another device.')
}
