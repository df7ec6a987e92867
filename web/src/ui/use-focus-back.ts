import { useLayoutEffect } from 'react'

/** A page's heading can take it, as after a navigation. */
function focusHeading(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}

/** Before a change that may take an element away: where it has, the heading takes the focus. */
function focusHeadingWithout(element: Element | null): void {
  queueMicrotask(() => {
    if (element?.isConnected === false) focusHeading()
  })
}

/** For what goes away with the button in it that was pressed. */
export function useFocusHeading(): void {
  useLayoutEffect(() => () => focusHeadingWithout(document.activeElement), [])
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
      focusHeadingWithout(before)
    }
  }, [])
}
