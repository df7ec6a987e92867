import { useLayoutEffect } from 'react'

/** A page's heading can take it, as after a navigation. */
function focusHeading(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}

/**
 * Gives the focus back to what had it, or to the heading where that went away. Layout effects: when one dialog takes the place
 * of another, the first gives it back first.
 */
export function useFocusBack(): void {
  useLayoutEffect(() => {
    const { activeElement: before } = document
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      // What had it may go away in the very change that closes the dialog: a Buy Now button once its item is bought.
      queueMicrotask(() => {
        if (before?.isConnected === false) focusHeading()
      })
    }
  }, [])
}
