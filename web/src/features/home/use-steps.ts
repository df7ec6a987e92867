import { startTransition, useEffect, useState } from 'react'
import { isFreshDocument } from '../../ui/fresh-document.ts'

let hasDrawn = false

/**
 * Counts to `last`, a step per drawing: 60 cards at once would keep a phone busy for half a second. Going back and loading again
 * need the whole page at once, for its place.
 */
export function useSteps(last: number): number {
  const [step, setStep] = useState(() => (hasDrawn || !isFreshDocument ? last : 0))
  useEffect(() => {
    hasDrawn = true
    if (step < last) startTransition(() => setStep(step + 1))
  }, [step, last])
  return step
}
