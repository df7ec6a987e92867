import { useState } from 'react'
import { useDraft } from '../../session/use-draft.ts'
import { readDraft, type Draft } from './draft.ts'
import type { DraftState } from './use-listing-form.ts'

export interface StoredDraftState extends DraftState {
  /**
   * Deletes the user's input from this tab's storage. Must be called when the listing has been created or edited, and
   * when the user cancels.
   */
  clear: () => void
  /** Records that this draft is saved on the server. */
  setSaved: (saved: Draft) => void
}

/**
 * The state of the draft that a form edits, starting with `initial`. The user's input is stored in this tab under
 * `name` until it is saved, published or canceled, so that a reload or an expired session loses nothing.
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
