import { useRef, useState, type FocusEvent, type KeyboardEvent, type PointerEvent } from 'react'

/** Returns how much a key changes the index of the focused menu item, or null if the key does not move the focus. */
function stepOf(key: string, index: number, count: number): number | null {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -index, End: count - 1 - index }
  return steps[key] ?? null
}

/**
 * State, focus and keys of a menu button (https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/). Returns props for the
 * button, for the list of items and for the element that contains the button and the list.
 */
export function useMenu() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    button.current?.focus()
    setIsOpen(false)
  }
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    const items = [...event.currentTarget.querySelectorAll('button')]
    const index = items.findIndex((item) => item === document.activeElement)
    const step = stepOf(event.key, index, items.length)
    if (event.key === 'Escape') close()
    if (step === null) return
    event.preventDefault()
    items.at((index + step) % items.length)?.focus()
  }
  return {
    isOpen,
    close,
    root: {
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false)
      },
    },
    button: {
      ref: button,
      'aria-haspopup': 'menu',
      'aria-expanded': isOpen,
      onClick: () => setIsOpen(!isOpen),
    } as const,
    list: {
      role: 'menu',
      onKeyDown: moveFocus,
      // Keeps the focus in the list. Safari does not focus a pressed button, so the list would lose the focus and close
      // before the click.
      onPointerDown: (event: PointerEvent) => event.preventDefault(),
    },
  }
}

/** Ref callback for the list of items. Focuses the first item when the menu opens. */
export function focusFirstItem(list: HTMLElement | null): void {
  list?.querySelector('button')?.focus()
}
