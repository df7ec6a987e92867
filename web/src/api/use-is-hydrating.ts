import { useSyncExternalStore } from 'react'

function subscribe() {
  return () => {}
}

/**
 * True on the server and while the browser takes over what the server drew, which must come out the same. Whatever differs
 * between the two, such as the time zone, waits until it is false.
 */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  )
}
