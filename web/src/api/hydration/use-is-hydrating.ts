import { useSyncExternalStore } from 'react'

function subscribe() {
  return () => {}
}

/**
 * Returns true on the server and while the browser hydrates. Both must render the same HTML then. Content that differs
 * between server and browser, such as a local time, must be rendered only after this returns false.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  )
}
