/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- A datalist cannot be styled, and the search box handles the keys. */
import { IconCategory, IconHistory, IconSearch, IconTrendingUp, type Icon } from '@tabler/icons-react'
import { VisuallyHidden } from '../ui/controls/VisuallyHidden.tsx'
import type { Suggestion } from './suggestions.ts'
import classes from './Suggestions.module.css'

const kinds: Record<Suggestion['kind'], { icon: Icon; label: string | null }> = {
  recent: { icon: IconHistory, label: 'recent' },
  trending: { icon: IconTrendingUp, label: 'trending' },
  suggestion: { icon: IconSearch, label: null },
  category: { icon: IconCategory, label: '· Category' },
}

interface Props {
  id: string
  suggestions: Suggestion[]
  active: number
  onChoose: (suggestion: Suggestion) => void
}

/**
 * The list of suggestions below a search box. The search box keeps the focus and handles the keys. `active` is the
 * index of the highlighted suggestion.
 */
export function Suggestions({ id, suggestions, active, onChoose }: Props) {
  const count = `${suggestions.length} ${suggestions.length === 1 ? 'suggestion' : 'suggestions'}`
  return (
    <>
      <div id={id} role="listbox" aria-label="Suggestions" className={classes.list}>
        {suggestions.map((suggestion, index) => {
          const { term, kind } = suggestion
          const { icon: KindIcon, label } = kinds[kind]
          return (
            <div
              key={term}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              data-kind={kind}
              className={classes.entry}
              // Keeps the focus in the search box. If the box lost the focus, the list would close before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(suggestion)}
            >
              <KindIcon className={classes.icon} size={18} stroke={1.7} aria-hidden="true" />
              <span className={classes.term}>{term}</span>
              {label !== null && <span className={classes.kind}>{label}</span>}
            </div>
          )
        })}
      </div>
      <VisuallyHidden component="output">{suggestions.length > 0 && count}</VisuallyHidden>
    </>
  )
}
