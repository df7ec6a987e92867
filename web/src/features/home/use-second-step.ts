import { useDeferredValue, useEffect, useState } from 'react'
import { isFreshDocument } from '../../ui/fresh-document.ts'

let hasDrawn = false

/**
 * False while a fresh document draws what is seen first, then true in small slices of work: 60 cards at once would keep a phone
 * busy for a second. Going back and loading again need the whole page at once, for its place.
 */
export function useSecondStep(): boolean {
  const [isWhole] = useState(() => hasDrawn || !isFreshDocument)
  useEffect(() => {
    hasDrawn = true
  }, [])
  return useDeferredValue(true, isWhole)
}
