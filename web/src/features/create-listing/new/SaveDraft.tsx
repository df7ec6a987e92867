import { lazy, Suspense } from 'react'
import { errorText } from '../../../api/client/http.ts'
import { isDraftChanged } from '../../../api/queries/drafts.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import type { useSaveDraft } from './use-save-draft.ts'
import type { StoredDraftState } from '../use-stored-draft.ts'

const DraftChangedDialog = lazy(async () => ({
  default: (await import('./DraftChangedDialog.tsx')).DraftChangedDialog,
}))

interface Props {
  saving: ReturnType<typeof useSaveDraft>
}

/** The error message if the draft could not be saved. */
export function SaveDraftFailure({ saving: { error, reset } }: Props) {
  const isFailure = error !== null && !isDraftChanged(error)
  return <Alert message={isFailure ? errorText(error, 'Failed to save draft') : null} onDismiss={() => reset()} />
}

/** The button that saves the draft, and a dialog if the draft was changed elsewhere. */
export function SaveDraft({ saving, stored }: Props & { stored: StoredDraftState }) {
  const { error, isPending, reset, save } = saving
  return (
    <>
      <BusyButton variant="default" size="lg" isBusy={isPending} onClick={() => save()}>
        Save Draft
      </BusyButton>
      {isDraftChanged(error) && (
        <Suspense fallback={null}>
          <DraftChangedDialog stored={stored} onKeep={() => save('')} onClose={() => reset()} />
        </Suspense>
      )}
    </>
  )
}
