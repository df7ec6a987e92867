import { useEffect, useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { isFreshDocument } from '../../ui/fresh-document.ts'

const storageKey = 'scroll-places'

function readPlaces(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

function keepPlaces(places: Record<string, number>): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(places))
  } catch {
    // Without storage a reload begins at the top.
  }
}

/** Going back, or loading again, keeps the place; a new page or search begins at the top, other parameters move nothing. */
export function useScrollPlace(): void {
  const { key, pathname, search } = useLocation()
  const type = useNavigationType()
  const page = `${pathname}?${new URLSearchParams(search).get('search') ?? ''}`
  const places = useRef<Record<string, number> | null>(null)
  const shown = useRef({ key, page })
  const hasTakenOver = useRef(!isFreshDocument)
  places.current ??= readPlaces()

  useLayoutEffect(() => {
    const isNewPage = shown.current.page !== page
    shown.current = { key, page }
    // Drawn by the server, and perhaps scrolled before this ran.
    const isAsOpened = !hasTakenOver.current
    hasTakenOver.current = true
    if (isAsOpened) return
    if (type === NavigationType.Pop) window.scrollTo(0, places.current?.[key] ?? 0)
    else if (isNewPage) window.scrollTo(0, 0)
  }, [key, page, type])

  useEffect(() => {
    const known = places.current ?? {}
    const note = () => {
      known[shown.current.key] = window.scrollY
    }
    const keep = () => keepPlaces(known)
    window.history.scrollRestoration = 'manual'
    window.addEventListener('scroll', note, { passive: true })
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('scroll', note)
      window.removeEventListener('pagehide', keep)
    }
  }, [])
}
