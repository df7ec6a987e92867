import { useQueryClient } from '@tanstack/react-query'
import type { StoredDraft } from '../../api/client/types.ts'
import { errorText } from '../../api/client/http.ts'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import { deleteDraft, draftsQuery } from '../../api/queries/drafts.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { Dialog } from '../../ui/feedback/Dialog.tsx'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { summarizeDraft } from './draft-summary.ts'
import classes from './ListingActions.module.css'

interface Props {
  draft: StoredDraft
  onClose: () => void
  onDeleted: () => void
}

export function DeleteDraftDialog({ draft, onClose, onDeleted }: Props) {
  const queryClient = useQueryClient()
  const deletion = useSingleMutation({
    mutationFn: () => deleteDraft(draft.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey })
      onDeleted()
      onClose()
    },
    meta: { failure: 'Failed to delete draft:' },
  })
  return (
    <Dialog opened title="Delete this draft?" onClose={onClose}>
      <div className={classes.dialog}>
        <p dir="auto">{summarizeDraft(draft).title}</p>
        <p>You can't undo this.</p>
        <Alert
          message={deletion.error && errorText(deletion.error, 'Failed to delete draft')}
          onDismiss={() => deletion.reset()}
        />
        <BusyButton fullWidth data-autofocus isBusy={deletion.isPending} onClick={() => deletion.mutate()}>
          Delete Draft
        </BusyButton>
        <Button fullWidth variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
