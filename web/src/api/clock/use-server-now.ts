import { createContext, use, useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'
import { useIsHydrating } from '../hydration/use-is-hydrating.ts'

/** Server time at which the page was prerendered, in milliseconds. Hydration uses it instead of the current time. */
export const RenderedAt = createContext(0)

/** Returns the current time of the server in milliseconds. Rerenders the component every `refreshMs`. */
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
