import { useQueryClient } from '@tanstack/react-query'
import { errorText } from '../../../api/client/http.ts'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'
import { draftsQuery } from '../../../api/queries/drafts.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { Dialog } from '../../../ui/feedback/Dialog.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import { toFormDraft } from '../draft.ts'
import type { StoredDraftState } from '../use-stored-draft.ts'
import classes from '../CreateListingPage.module.css'

interface Props {
  stored: StoredDraftState
  /** Replaces the version that was saved in another tab or on another device with this form's draft. */
  onKeep: () => void
  onClose: () => void
}

/** Asks which version to keep after the draft was saved in another tab or on another device. */
export function DraftChangedDialog({ stored, onKeep, onClose }: Props) {
  const queryClient = useQueryClient()
  const loading = useSingleMutation({
    async mutationFn() {
      const drafts = await queryClient.query({ ...draftsQuery, staleTime: 0 })
      return drafts.find(({ id }) => id === stored.draft.draftId) ?? null
    },
    onSuccess(other) {
      if (other === null) return
      stored.setSaved(toFormDraft(other))
      onClose()
    },
    meta: { failure: 'Failed to load draft:' },
  })
  const failure = loading.error && errorText(loading.error, 'Failed to load draft')
  return (
    <Dialog opened title="This draft was changed elsewhere" onClose={onClose}>
      <div className={classes.dialog}>
        <p>It was saved in another tab or on another device after you opened it here.</p>
        <p>Keep this version to replace the other one, or load the other version and lose your changes here.</p>
        <Alert
          message={loading.data === null ? 'The other version no longer exists.' : failure}
          onDismiss={() => loading.reset()}
        />
        <Button fullWidth onClick={onKeep}>
          Keep This Version
        </Button>
        <BusyButton fullWidth variant="default" isBusy={loading.isPending} onClick={() => loading.mutate()}>
          Load the Other Version
        </BusyButton>
      </div>
    </Dialog>
  )
}
