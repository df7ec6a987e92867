import { createContext, use, useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'
import { useIsHydrating } from './use-is-hydrating.ts'

/** The server's time when it drew the page: what is drawn first is of that instant. */
export const DrawnAt = createContext(0)

/** The server's time, read again every `refreshMs`. */
export function useServerNow(refreshMs: number): number {
  const drawnAt = use(DrawnAt)
  const isHydrating = useIsHydrating()
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(serverNow()), refreshMs)
    return () => window.clearInterval(timer)
  }, [refreshMs])
  return isHydrating ? drawnAt : now
}
