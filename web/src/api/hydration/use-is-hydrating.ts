import { useSyncExternalStore } from 'react'

function subscribe() {
  return () => {}
}

/**
 * Returns true on the server and while the browser hydrates. During that time, server and browser must render the same
 * HTML. Content that differs between them, such as a local time, must be rendered only when this hook returns false.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  )
}
