import { useId, useState, type KeyboardEvent } from 'react'
import { useEntries } from './use-entries.ts'

const noEntry = -1

/** A box and the list below it: what is listed, which entry the arrow keys chose, and when the list is open. */
export function useCombobox(typed: string) {
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(noEntry)
  const id = useId()
  const found = useEntries(typed, isOpen)
  const entries = isOpen ? found : []
  const isListed = entries.length > 0

  function show() {
    setIsOpen(true)
    setActive(noEntry)
  }

  function hide() {
    setIsOpen(false)
    setActive(noEntry)
  }

  function moveByKey(event: KeyboardEvent) {
    if (event.key === 'Escape' && isListed) {
      event.preventDefault()
      hide()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setIsOpen(true)
    // One place more than entries: past either end it is the box again.
    const places = entries.length + 1
    setActive(((active + 1 + step + places) % places) - 1)
  }

  const box = {
    role: 'combobox',
    'aria-expanded': isListed,
    'aria-controls': id,
    'aria-autocomplete': 'list',
    'aria-activedescendant': active === noEntry ? undefined : `${id}-${active}`,
    onFocus: show,
    onClick: () => setIsOpen(true),
    onBlur: hide,
    onKeyDown: moveByKey,
  } as const
  return { box, list: { id, entries, active }, chosen: entries[active]?.term, show, hide }
}
