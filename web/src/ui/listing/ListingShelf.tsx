import { useId, type ReactNode } from 'react'
import classes from './ListingShelf.module.css'

/** A horizontally scrolling row of listing cards under a heading. The children are list items. */
export function ListingShelf({ heading, children }: { heading: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.shelf}>
      <h2 id={id} className={classes.heading}>
        {heading}
      </h2>
      <ul className={classes.cards}>{children}</ul>
    </section>
  )
}
