import { useLayoutEffect, useRef, type RefObject } from 'react'

interface StableScroll {
  ref: RefObject<HTMLDivElement | null>
  onScroll: () => void
}

/**
 * Keeps the shown messages in place when older messages are added above them. The browser's scroll anchoring would not
 * do this in Safari or at the top of the list.
 */
export function useStableScroll(oldestMessageId: string | undefined): StableScroll {
  const ref = useRef<HTMLDivElement>(null)
  const fromEnd = useRef(0)
  const shownOldestId = useRef(oldestMessageId)
  useLayoutEffect(() => {
    if (ref.current === null || shownOldestId.current === oldestMessageId) return
    shownOldestId.current = oldestMessageId
    ref.current.scrollTop = ref.current.scrollHeight - fromEnd.current
  })
  const onScroll = () => {
    if (ref.current !== null) fromEnd.current = ref.current.scrollHeight - ref.current.scrollTop
  }
  return { ref, onScroll }
}
