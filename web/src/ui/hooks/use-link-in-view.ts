import { useLayoutEffect, useRef, type RefObject } from 'react'

function showLink(row: HTMLElement, index: number): void {
  const link = row.querySelectorAll('a')[index]
  if (!link) return
  const [visible, wanted] = [row.getBoundingClientRect(), link.getBoundingClientRect()]
  if (wanted.left >= visible.left && wanted.right <= visible.right) return
  // Scrolls only the row. Element.scrollIntoView would also scroll the page.
  row.scrollLeft += (wanted.left + wanted.right - visible.left - visible.right) / 2
}

/**
 * Returns a ref for a row of links that scrolls horizontally. Centers the link at `index` if it is not completely visible:
 * when the row appears, when its size changes (for example because the screen is rotated), and when `index` changes. An
 * index of -1 means no link.
 */
export function useLinkInView(index: number): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const row = ref.current
    if (row === null) return undefined
    // The observer also calls back once at the start, before the row is painted.
    const observer = new ResizeObserver(() => showLink(row, index))
    observer.observe(row)
    return () => observer.disconnect()
  }, [index])
  return ref
}
