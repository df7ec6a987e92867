import { useCallback, useState, type RefCallback } from 'react'

/**
 * Whether an element has been in view, or nearly, since it was drawn; `ref` goes to the element. Mantine's `useIntersection` would
 * draw each of dozens again when it is told that it is not in view.
 */
export function useSeen(): { ref: RefCallback<Element>; isSeen: boolean } {
  const [isSeen, setIsSeen] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (element === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setIsSeen(true)
        observer.disconnect()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, isSeen }
}
