import { createContext, use, useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'
import { useIsHydrating } from '../hydration/use-is-hydrating.ts'

/**
 * Server time, in milliseconds, at which the page was prerendered. The browser renders this time during hydration, so
 * that its HTML matches the server's.
 */
export const RenderedAt = createContext(0)

/** Returns the server's current time in milliseconds. Rerenders the component every `refreshMs`. */
export function useServerNow(refreshMs: number): number {
  const renderedAt = use(RenderedAt)
  const isHydrating = useIsHydrating()
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(serverNow()), refreshMs)
    return () => window.clearInterval(timer)
  }, [refreshMs])
  return isHydrating ? renderedAt : now
}
