import { useState } from 'react'
import { useDraft } from '../../../session/use-draft.ts'
import { readDraft, type Draft } from '../draft.ts'
import type { DraftState } from '../use-listing-form.ts'

export interface StoredDraftState extends DraftState {
  /** Forgets what was typed, after the listing was created. */
  clear: () => void
  /** Records that the server has this draft. */
  setSaved: (saved: Draft) => void
}

/**
 * The draft of a form. Until it is saved or published, what the user types is stored for this tab under `name`, and it
 * replaces `initial`, so that a reload or an expired session loses nothing.
 */
export function useStoredDraft(name: string, initial: Draft): StoredDraftState {
  const [typed, setTyped] = useDraft(name)
  const [start, setStart] = useState(initial)
  const parse = (text: string) => (text === '' ? start : readDraft(text))
  return {
    draft: parse(typed),
    change: (next) => setTyped((current) => JSON.stringify(next(parse(current)))),
    clear: () => setTyped(''),
    setSaved(saved) {
      setStart(saved)
      setTyped('')
    },
  }
}
