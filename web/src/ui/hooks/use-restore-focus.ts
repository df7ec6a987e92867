import { useLayoutEffect } from 'react'

/** Moves the focus to the page heading if no element has it. */
function focusHeading(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}

/** Waits for the current DOM update, and moves the focus to the page heading if the update removed `element`. */
function focusHeadingIfRemoved(element: Element | null): void {
  queueMicrotask(() => {
    if (element?.isConnected === false) focusHeading()
  })
}

/**
 * Moves the focus to the page heading if the component's unmount removes the focused element, such as a pressed button.
 */
export function useFocusHeading(): void {
  useLayoutEffect(() => () => focusHeadingIfRemoved(document.activeElement), [])
}

/**
 * On unmount, returns the focus to the element that had it on mount, or to the page heading if that element was
 * removed.
 */
export function useRestoreFocus(): void {
  // Must be a layout effect, so that a dialog that opens in the same update finds the focus already restored.
  useLayoutEffect(() => {
    const { activeElement: before } = document
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      // The element `before` can be removed by the update that closes the dialog, for example a Buy Now button after
      // the purchase. The focus then moves to the page heading.
      focusHeadingIfRemoved(before)
    }
  }, [])
}
