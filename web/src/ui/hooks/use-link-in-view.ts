import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Returns a ref for a row of links that scrolls sideways. If the link at `index` is not completely in view, centers it when the
 * row appears and whenever `index` changes. An index of -1 means no link.
 */
export function useLinkInView(index: number): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const link = row.current?.querySelectorAll('a')[index]
    if (!row.current || !link) return
    const [visible, wanted] = [row.current.getBoundingClientRect(), link.getBoundingClientRect()]
    if (wanted.left >= visible.left && wanted.right <= visible.right) return
    // Scrolls only the row. Element.scrollIntoView would also scroll the page.
    row.current.scrollLeft += (wanted.left + wanted.right - visible.left - visible.right) / 2
  }, [index])
  return row
}
