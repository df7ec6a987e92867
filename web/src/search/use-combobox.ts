import { useId, useState, type KeyboardEvent } from 'react'
import { useSuggestions } from './use-suggestions.ts'

const noSuggestion = -1

/**
 * State of a search box with suggestions (ARIA combobox): whether the list is open, the suggestions, and the suggestion
 * chosen with the arrow keys.
 */
export function useCombobox(typed: string) {
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(noSuggestion)
  const id = useId()
  const available = useSuggestions(typed, isOpen)
  const suggestions = isOpen ? available : []
  const isListed = suggestions.length > 0

  function show() {
    setIsOpen(true)
    setActive(noSuggestion)
  }

  function hide() {
    setIsOpen(false)
    setActive(noSuggestion)
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
    // The arrow keys cycle through the search box (position -1) and the suggestions.
    const positions = suggestions.length + 1
    setActive(((active + 1 + step + positions) % positions) - 1)
  }

  const box = {
    role: 'combobox',
    'aria-expanded': isListed,
    'aria-controls': id,
    'aria-autocomplete': 'list',
    'aria-activedescendant': active === noSuggestion ? undefined : `${id}-${active}`,
    onFocus: show,
    onClick: () => setIsOpen(true),
    onBlur: hide,
    onKeyDown: moveByKey,
  } as const
  return { box, list: { id, suggestions, active }, chosen: suggestions[active], show, hide }
}
