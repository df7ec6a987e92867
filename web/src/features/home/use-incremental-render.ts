import { startTransition, useEffect, useState } from 'react'
import { isFreshDocument } from '../../api/hydration/fresh-document.ts'

let hasRendered = false

/**
 * Returns a step from 1 to `last`, which increases with each render, so that a page can render its cards in steps.
 * Rendering 60 cards at once would block a phone for half a second. The first step is prerendered, so that its pictures
 * load before the scripts. After going back or reloading, the first step is `last`, because the scroll position can be
 * restored only if the whole page is rendered.
 */
export function useIncrementalRender(last: number): number {
  const [step, setStep] = useState(() => (hasRendered || !isFreshDocument ? last : 1))
  useEffect(() => {
    hasRendered = true
    if (step < last) startTransition(() => setStep(step + 1))
  }, [step, last])
  return step
}
