import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router-dom'
import { errorText } from '../../../api/client/http.ts'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'
import { draftsQuery, isDraftChanged, newDraftId, saveDraft } from '../../../api/queries/drafts.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import type { Draft } from '../draft.ts'
import type { StoredDraftState } from './use-stored-draft.ts'
import classes from '../CreateListingPage.module.css'

const DraftChangedDialog = lazy(async () => ({
  default: (await import('./DraftChangedDialog.tsx')).DraftChangedDialog,
}))

function useSaveDraft(stored: StoredDraftState) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ draftId, savedAt, ...body }: Draft) => saveDraft({ id: draftId, body }, savedAt || undefined),
    onSuccess: async ({ updated_at: savedAt }, saved) => {
      void queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey })
      // The form stays open if the user changed the draft while it was being saved, because these changes are not on
      // the server yet.
      if (JSON.stringify(stored.draft) !== JSON.stringify(saved)) {
        stored.change((current) => ({ ...current, savedAt }))
        return
      }
      stored.setSaved({ ...saved, savedAt })
      await navigate('/my-listings?status=drafts')
    },
    meta: { failure: 'Failed to save draft:' },
  })
}

/** The button that saves the draft on the server and then shows the user's drafts. */
export function SaveDraft({ stored }: { stored: StoredDraftState }) {
  const save = useSaveDraft(stored)
  const isChanged = isDraftChanged(save.error)
  function saveNow(savedAt = stored.draft.savedAt) {
    // The id is stored with the draft, so that a retry after a failure saves the same draft.
    const draftId = stored.draft.draftId || newDraftId()
    stored.change((current) => ({ ...current, draftId, savedAt }))
    save.mutate({ ...stored.draft, draftId, savedAt })
  }
  return (
    <>
      <Alert
        message={save.error && !isChanged ? errorText(save.error, 'Failed to save draft') : null}
        onDismiss={() => save.reset()}
      />
      <BusyButton
        variant="default"
        size="lg"
        className={classes.submit}
        isBusy={save.isPending}
        onClick={() => saveNow()}
      >
        Save Draft
      </BusyButton>
      {isChanged && (
        <Suspense fallback={null}>
          <DraftChangedDialog stored={stored} onKeep={() => saveNow('')} onClose={() => save.reset()} />
        </Suspense>
      )}
    </>
  )
}
