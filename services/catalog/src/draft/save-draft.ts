import { conflict, missing } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import type { DraftRow, Trx } from '../db.ts'
import { formatLimit } from '../quota/format-limit.ts'
import { lockQuota } from '../quota/quotas.repo.ts'
import { findDraftIds, upsertDraft } from './drafts.repo.ts'

export interface SaveDraftCommand {
  id: string
  ownerId: string
  body: object
}

/**
 * Saves a draft under an id that the client generated. Throws `too_many_drafts` (409) if the owner's quota of drafts is
 * used up, or `missing` (404) if the id belongs to another person's draft.
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
  const draft = await upsertDraft(trx, command)
  if (!draft) throw missing('draft')
  return draft
}
