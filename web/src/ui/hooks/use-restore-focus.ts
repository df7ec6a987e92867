import { useLayoutEffect } from 'react'

/** Moves the focus to the page heading if no element has it. */
function focusHeading(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}

/** Focuses the heading if the element has been removed from the document by the end of the current change. */
function focusHeadingIfRemoved(element: Element | null): void {
  queueMicrotask(() => {
    if (element?.isConnected === false) focusHeading()
  })
}

/** Focuses the page heading on unmount if the focused element is removed, such as a pressed button inside the component. */
export function useFocusHeading(): void {
  useLayoutEffect(() => () => focusHeadingIfRemoved(document.activeElement), [])
}

/**
 * On unmount, restores the focus to the element that had it on mount, or to the heading if that element is gone. Uses layout effects,
 * so that a dialog restores the focus before the dialog that replaces it reads it.
 */
export function useRestoreFocus(): void {
  useLayoutEffect(() => {
    const { activeElement: before } = document
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      // The element may be removed in the change that closes the dialog, such as the Buy Now button of an item that was just bought.
      focusHeadingIfRemoved(before)
    }
  }, [])
}
