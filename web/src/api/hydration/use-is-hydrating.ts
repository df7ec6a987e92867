import { useSyncExternalStore } from 'react'

function subscribe() {
  return () => {}
}

/**
 * Returns true on the server and while the browser hydrates, when both must render the same. Anything that differs between the two,
 * such as the time zone, must render only after it returns false.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  )
}
