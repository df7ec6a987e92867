/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- A datalist cannot be drawn by us, and the box has the keys. */
import { IconHistory, IconSearch, IconTrendingUp, type Icon } from '@tabler/icons-react'
import { VisuallyHidden } from '@mantine/core'
import type { Entry } from './entries.ts'
import classes from './Entries.module.css'

const kinds: Record<Entry['kind'], { icon: Icon; word: string | null }> = {
  recent: { icon: IconHistory, word: 'recent' },
  trending: { icon: IconTrendingUp, word: 'trending' },
  suggestion: { icon: IconSearch, word: null },
}

type Props = { id: string; entries: Entry[]; active: number; onChoose: (term: string) => void }

/** The list below a search box; the box keeps the focus and the keys, and says which entry is active. */
export function Entries({ id, entries, active, onChoose }: Props) {
  const count = `${entries.length} ${entries.length === 1 ? 'suggestion' : 'suggestions'}`
  return (
    <>
      <div id={id} role="listbox" aria-label="Suggestions" className={classes.list}>
        {entries.map(({ term, kind }, index) => {
          const { icon: KindIcon, word } = kinds[kind]
          return (
            <div
              key={term}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={classes.entry}
              // Keeps the focus in the box, whose blur would close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(term)}
            >
              <KindIcon className={classes.icon} size={18} stroke={1.7} aria-hidden="true" />
              <span className={classes.term}>{term}</span>
              {word !== null && <span className={classes.kind}>{word}</span>}
            </div>
          )
        })}
      </div>
      <VisuallyHidden component="output">{entries.length > 0 && count}</VisuallyHidden>
    </>
  )
}
