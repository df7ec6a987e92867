import { IconSearch } from '@tabler/icons-react'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useIsHydrating } from '../api/hydration/use-is-hydrating.ts'
import { truncate, maxTermLength } from '../rules/text.ts'
import { Button } from '../ui/controls/Button.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { Suggestions } from './Suggestions.tsx'
import { useCombobox } from './use-combobox.ts'
import { useRecordSearch } from './use-search.ts'
import classes from './SearchBox.module.css'

interface Props {
  label: string
  onSearch: (term: string) => void
  initialTerm?: string
  size?: 'md' | 'lg'
  withButton?: boolean
}

// Attributes with which the browser rejects an empty term, because no event handler can do so before hydration.
const rejectEmpty = { required: true, pattern: String.raw`.*\S.*` }

/**
 * A search form. Trims the term and ignores an empty term. If `initialTerm` can change, pass it as the `key`, too, so that
 * the box shows the new term.
 */
export function SearchBox({ label, onSearch, initialTerm = '', size = 'md', withButton }: Props) {
  const [typed, setTyped] = useState(initialTerm)
  const field = useRef<HTMLInputElement>(null)
  // The initial term was already searched for. Until the user edits it, the list shows the suggestions for an empty search
  // box.
  const combobox = useCombobox(typed === initialTerm ? '' : typed)
  const recordSearch = useRecordSearch()
  const isHydrating = useIsHydrating()

  // Adopts text that the user typed before hydration. A layout effect is needed, because the next render would clear the
  // search box. If the search box has the focus, the list is opened as on focus.
  const adoptTypedText = useEffectEvent(() => {
    if (field.current === null) return
    if (field.current.value !== '') setTyped(field.current.value)
    if (field.current === document.activeElement) combobox.show()
  })
  useLayoutEffect(() => adoptTypedText(), [])

  function search(text: string) {
    const term = text.trim()
    if (term === '') return
    setTyped(term)
    combobox.hide()
    recordSearch(term)
    onSearch(term)
  }

  return (
    <search aria-label={label} data-page-search={withButton}>
      <form
        className={classes.form}
        // The form also works without JavaScript: the browser then opens the results page.
        action="/"
        data-size={size}
        onSubmit={(event) => {
          event.preventDefault()
          search(combobox.chosen ?? typed)
        }}
      >
        <div className={classes.input}>
          <TextInput
            {...combobox.box}
            ref={field}
            type="search"
            name="search"
            {...(isHydrating && rejectEmpty)}
            aria-label={label}
            placeholder="Search for anything"
            value={typed}
            autoComplete="off"
            enterKeyHint="search"
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            onChange={(event) => {
              setTyped(truncate(event.currentTarget.value, maxTermLength))
              combobox.show()
            }}
          />
          <Suggestions {...combobox.list} onChoose={search} />
        </div>
        {withButton && (
          <Button type="submit" className={classes.button}>
            Search
          </Button>
        )}
      </form>
    </search>
  )
}
