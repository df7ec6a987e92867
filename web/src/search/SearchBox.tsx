import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useIsHydrating } from '../api/hydration/use-is-hydrating.ts'
import { truncate, maxTermLength } from '../rules/text.ts'
import { Button } from '../ui/controls/Button.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { Suggestions } from './Suggestions.tsx'
import type { Suggestion } from './suggestions.ts'
import { useAdoptTypedText } from './use-adopt-typed-text.ts'
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

// Attributes that make the browser reject an empty term until hydration attaches the event handler.
const rejectEmpty = { required: true, pattern: String.raw`.*\S.*` }

function SubmitButton() {
  return (
    <Button type="submit" className={classes.button}>
      Search
    </Button>
  )
}

/**
 * A search form. Trims the term and ignores an empty term. `initialTerm` is read only on mount; if it can change, also
 * pass it as the `key`.
 */
export function SearchBox({ label, onSearch, initialTerm = '', size = 'md', withButton }: Props) {
  const [typed, setTyped] = useState(initialTerm)
  const field = useRef<HTMLInputElement>(null)
  // Shows the default suggestions until the user changes the initial term.
  const combobox = useCombobox(typed === initialTerm ? '' : typed)
  const recordSearch = useRecordSearch()
  const isHydrating = useIsHydrating()
  const navigate = useNavigate()

  useAdoptTypedText(field, { adopt: setTyped, show: combobox.show })

  function search(text: string) {
    const term = text.trim()
    if (term === '') return
    setTyped(term)
    combobox.hide()
    recordSearch(term)
    onSearch(term)
  }

  function choose({ term, slug }: Suggestion) {
    if (slug === undefined) return search(term)
    setTyped('')
    combobox.hide()
    void navigate(`/?${new URLSearchParams({ category: slug })}`)
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
          if (combobox.chosen === undefined) search(typed)
          else choose(combobox.chosen)
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
          <Suggestions {...combobox.list} onChoose={choose} />
        </div>
        {withButton && <SubmitButton />}
      </form>
    </search>
  )
}
