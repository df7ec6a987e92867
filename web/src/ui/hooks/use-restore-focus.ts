import { useLayoutEffect } from 'react'

/** Moves the focus to the page heading if no element has it. */
function focusHeading(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true })
}

/** Moves the focus to the heading if the element is no longer in the document when the current DOM update is complete. */
function focusHeadingIfRemoved(element: Element | null): void {
  queueMicrotask(() => {
    if (element?.isConnected === false) focusHeading()
  })
}

/**
 * On unmount, moves the focus to the page heading if the focused element is removed, such as a button in the component that
 * was pressed.
 */
export function useFocusHeading(): void {
  useLayoutEffect(() => () => focusHeadingIfRemoved(document.activeElement), [])
}

/**
 * On unmount, returns the focus to the element that had it on mount, or to the heading if that element is gone. Uses layout
 * effects, so that a closing dialog has returned the focus before the dialog that replaces it reads the focused element.
 */
export function useRestoreFocus(): void {
  useLayoutEffect(() => {
    const { activeElement: before } = document
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      // The update that closes the dialog may also remove the element. An example is the Buy Now button of an item that was
      // just bought.
      focusHeadingIfRemoved(before)
    }
  }, [])
}
