import { useId, type ReactNode } from 'react'
import classes from './ResultSection.module.css'

/** A part of the results under a heading. If the heading is null, only the children are rendered. */
export function ResultSection({ heading, children }: { heading: string | null; children: ReactNode }) {
  const id = useId()
  if (heading === null) return children
  return (
    <section aria-labelledby={id} className={classes.section}>
      <h3 id={id} className={classes.heading}>
        {heading}
      </h3>
      {children}
    </section>
  )
}
