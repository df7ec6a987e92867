import { startTransition, useEffect, useState } from 'react'
import { isFreshDocument } from '../../api/hydration/fresh-document.ts'

let hasRendered = false

/**
 * Counts from 0 to `last`, one step per render: rendering 60 cards at once would block a phone for half a second. After going back or
 * reloading it starts at `last`, because restoring the scroll position needs the whole page.
 */
export function useIncrementalRender(last: number): number {
  const [step, setStep] = useState(() => (hasRendered || !isFreshDocument ? last : 0))
  useEffect(() => {
    hasRendered = true
    if (step < last) startTransition(() => setStep(step + 1))
  }, [step, last])
  return step
}
