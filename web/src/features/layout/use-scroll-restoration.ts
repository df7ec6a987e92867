import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { isFreshDocument } from '../../api/hydration/fresh-document.ts'

const storageKey = 'scroll-places'

function readPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

function savePositions(places: Record<string, number>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(places))
  } catch {
    // Storage is disabled, so a reload loses the scroll positions.
  }
}

/**
 * Scrolls to the top when the path or the search term changes, and restores the scroll position after going back or
 * reloading.
 */
export function useScrollRestoration(): void {
  const { key, pathname, search } = useLocation()
  const type = useNavigationType()
  const page = `${pathname}?${new URLSearchParams(search).get('search') ?? ''}`
  const positions = useRef<Record<string, number> | null>(null)
  const shown = useRef({ key, page })
  const canScroll = useRef(!isFreshDocument)
  positions.current ??= readPositions()

  useLayoutEffect(() => {
    const isNewPage = shown.current.page !== page
    shown.current = { key, page }
    // Does not scroll the first page of a newly opened document, because the user may already have scrolled the page.
    const isFirstPage = !canScroll.current
    canScroll.current = true
    if (isFirstPage) return
    if (type === NavigationType.Pop) window.scrollTo(0, positions.current?.[key] ?? 0)
    else if (isNewPage) window.scrollTo(0, 0)
  }, [key, page, type])

  useEffect(() => {
    const current = positions.current ?? {}
    const record = () => {
      current[shown.current.key] = window.scrollY
    }
    const save = () => savePositions(current)
    window.history.scrollRestoration = 'manual'
    window.addEventListener('scroll', record, { passive: true })
    // Also records the position on a click, because scroll events are delayed and the click may open another page.
    window.addEventListener('click', record, { capture: true })
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('scroll', record)
      window.removeEventListener('click', record, { capture: true })
      window.removeEventListener('pagehide', save)
    }
  }, [])
}
