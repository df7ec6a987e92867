import { useSyncExternalStore } from 'react'

function subscribe() {
  return () => {}
}

/**
 * Returns true on the server and while the browser hydrates, when server and browser must render the same HTML. Content that
 * differs between server and browser, such as a local time, must be rendered only after this hook returns false.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  )
}
