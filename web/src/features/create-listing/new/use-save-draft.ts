import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'
import { draftsQuery, newDraftId, saveDraft } from '../../../api/queries/drafts.ts'
import type { Draft } from '../draft.ts'
import type { StoredDraftState } from '../use-stored-draft.ts'

/** Returns the request's state and `save`, which saves the draft on the server and then opens the user's drafts. */
export function useSaveDraft(stored: StoredDraftState) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { mutate, ...state } = useSingleMutation({
    mutationFn: ({ draftId, savedAt, ...body }: Draft) => saveDraft({ id: draftId, body }, savedAt || undefined),
    onSuccess: async ({ updated_at: savedAt }, saved) => {
      void queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey })
      // If the user changed the draft while it was being saved, the form stays open, because the server does not have
      // these changes yet.
      if (JSON.stringify(stored.draft) !== JSON.stringify(saved)) {
        stored.change((current) => ({ ...current, savedAt }))
        return
      }
      stored.setSaved({ ...saved, savedAt })
      await navigate('/my-listings?status=drafts')
    },
    meta: { failure: 'Failed to save draft:' },
  })
  function save(savedAt = stored.draft.savedAt) {
    // Keeps the new id in the draft, so that a retry after a failed save does not create a second draft.
    const draftId = stored.draft.draftId || newDraftId()
    stored.change((current) => ({ ...current, draftId, savedAt }))
    mutate({ ...stored.draft, draftId, savedAt })
  }
  return { ...state, save }
}
