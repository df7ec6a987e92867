import { queryOptions } from '@tanstack/react-query'
import { api, responseBody } from '../client/client.ts'
import { ApiError } from '../client/http.ts'
import { randomHex } from '../client/random-hex.ts'
import type { StoredDraft } from '../client/types.ts'
import { privateQueryKey } from './queries.ts'

/** The user's drafts (at most 20), most recently saved first. */
export const draftsQuery = queryOptions({
  queryKey: [privateQueryKey, 'drafts'],
  queryFn: () => responseBody(api.GET('/api/drafts')),
  meta: { failure: 'Failed to load drafts:' },
})

/**
 * Returns an id for a new draft. The API requires a UUIDv7, which consists of the time in milliseconds and random bits.
 */
export function newDraftId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomHex(9)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6)}`
}

/**
 * Saves a draft. `basedOn` is the time at which the version that the user edited was saved; if a newer version exists,
 * the save is rejected (see `isDraftChanged`). Without `basedOn`, a newer version is overwritten.
 */
export function saveDraft(
  { id, body }: Pick<StoredDraft, 'id' | 'body'>,
  basedOn: string | undefined,
): Promise<StoredDraft> {
  return responseBody(api.PUT('/api/drafts/{id}', { params: { path: { id }, query: { based_on: basedOn } }, body }))
}

/** Returns whether a save was rejected because the draft was saved again in another tab or on another device. */
export function isDraftChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'draft_changed'
}

/** Deletes one of the user's drafts. Succeeds also if the draft no longer exists. */
export async function deleteDraft(id: string): Promise<void> {
  try {
    await api.DELETE('/api/drafts/{id}', { params: { path: { id } } })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}
