import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { SubmitEvent } from 'react'
import { fieldText } from '../rules/form.ts'
import classes from './SearchBox.module.css'

type Props = {
  label: string
  onSearch: (term: string) => void
  initialTerm?: string
  placeholder?: string
  size?: 'md' | 'lg'
  withButton?: boolean
}

/** Trims what was typed and ignores an empty term. Key it by `initialTerm` where that can change. */
export function SearchBox({
  label,
  onSearch,
  initialTerm = '',
  placeholder = 'Search for anything',
  size = 'md',
  withButton,
}: Props) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const term = fieldText(new FormData(event.currentTarget), 'search')
    if (term !== '') onSearch(term)
  }
  return (
    <search aria-label={label}>
      <form className={classes.form} data-size={size} onSubmit={submit}>
        <TextInput
          className={classes.input}
          type="search"
          name="search"
          aria-label={label}
          placeholder={placeholder}
          defaultValue={initialTerm}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          leftSection={<IconSearch size={18} aria-hidden="true" />}
        />
        {withButton && (
          <Button type="submit" className={classes.button}>
            Search
          </Button>
        )}
      </form>
    </search>
  )
}
