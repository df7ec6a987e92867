import { useLayoutEffect } from 'react'

/** Gives the focus back to what had it. Layout effects: when one dialog takes the place of another, the first gives it back first. */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const { activeElement: before } = document
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
}
