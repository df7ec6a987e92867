import { useDraft } from '../../session/use-draft.ts'
import { emptyDraft, readDraft, type Draft } from './draft.ts'
import type { DraftState } from './use-listing-form.ts'

/** The draft of the form, which is kept until the listing is created. */
export function useStoredDraft(): DraftState & { clear: () => void } {
  const [stored, setStored] = useDraft('listing')
  return {
    draft: stored === '' ? emptyDraft : readDraft(stored),
    change: (next: (current: Draft) => Draft) => setStored((current) => JSON.stringify(next(readDraft(current)))),
    clear: () => setStored(''),
  }
}
