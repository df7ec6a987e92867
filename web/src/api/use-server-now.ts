import { useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'

/** The server's time, read again every `refreshMs`. */
export function useServerNow(refreshMs: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(serverNow()), refreshMs)
    return () => window.clearInterval(timer)
  }, [refreshMs])
  return now
}
