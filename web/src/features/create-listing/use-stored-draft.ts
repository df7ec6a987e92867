import { useDraft } from '../../session/use-draft.ts'
import type { DraftImage } from './draft-image.ts'
import { emptyDraft, readDraft, type Draft } from './draft.ts'

/** The draft of the form, which is kept until the listing is created. */
export function useStoredDraft() {
  const [stored, setStored] = useDraft('listing')
  const change = (next: (current: Draft) => Draft) => setStored((current) => JSON.stringify(next(readDraft(current))))
  return {
    draft: stored === '' ? emptyDraft : readDraft(stored),
    onChange: (changed: Partial<Draft>) => change((current) => ({ ...current, ...changed })),
    /**
     * Changes the photos. `next` receives the latest photos, because uploads may complete while the user adds or
     * removes photos.
     */
    onImages: (next: (images: DraftImage[]) => DraftImage[]) =>
      change((current) => ({ ...current, images: next(current.images) })),
    clear: () => setStored(''),
  }
}
