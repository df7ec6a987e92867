import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useIsHydrating } from '../api/use-is-hydrating.ts'
import { fitting, longestTerm } from '../rules/text.ts'
import { Entries } from './Entries.tsx'
import { useCombobox } from './use-combobox.ts'
import { useNoteSearch } from './use-search.ts'
import classes from './SearchBox.module.css'

type Props = {
  label: string
  onSearch: (term: string) => void
  initialTerm?: string
  size?: 'md' | 'lg'
  withButton?: boolean
}

// Without us, and until we can ignore an empty term, the browser refuses it.
const refusingEmpty = { required: true, pattern: String.raw`.*\S.*` }

/** Trims what was typed and ignores an empty term. Key it by `initialTerm` where that can change. */
export function SearchBox({ label, onSearch, initialTerm = '', size = 'md', withButton }: Props) {
  const [typed, setTyped] = useState(initialTerm)
  const field = useRef<HTMLInputElement>(null)
  // What the box came with was searched for already: until it is changed, the list is that of an empty box.
  const combobox = useCombobox(typed === initialTerm ? '' : typed)
  const noteSearch = useNoteSearch()
  const isHydrating = useIsHydrating()

  // What was typed into the page as the server drew it, before this ran; at once, or the next drawing would empty the box.
  // Who is at it has the list from then on, as if they had come to it now.
  const takeOver = useEffectEvent(() => {
    if (field.current === null) return
    if (field.current.value !== '') setTyped(field.current.value)
    if (field.current === document.activeElement) combobox.show()
  })
  useLayoutEffect(() => takeOver(), [])

  function search(text: string) {
    const term = text.trim()
    if (term === '') return
    setTyped(term)
    combobox.hide()
    noteSearch(term)
    onSearch(term)
  }

  return (
    <search aria-label={label}>
      <form
        className={classes.form}
        // Leads to the right address without us too.
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
            {...(isHydrating && refusingEmpty)}
            aria-label={label}
            placeholder="Search for anything"
            value={typed}
            autoComplete="off"
            enterKeyHint="search"
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            onChange={(event) => {
              setTyped(fitting(event.currentTarget.value, longestTerm))
              combobox.show()
            }}
          />
          <Entries {...combobox.list} onChoose={search} />
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
