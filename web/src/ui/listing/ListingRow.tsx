import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { RowPicture } from './RowPicture.tsx'
import classes from './ListingRow.module.css'

interface Props {
  id: string
  title: string
  picture: string | null | undefined
  /** The status, next to the title. */
  badge: ReactNode
  children: ReactNode
}

/** A listing as a row of a list, with its picture, its title as a link, and details. */
export function ListingRow({ id, title, picture, badge, children }: Props) {
  return (
    <article className={classes.row}>
      <RowPicture src={picture} isFullHeight />
      <div className={classes.what}>
        <div className={classes.head}>
          <h2 dir="auto" className={classes.title}>
            <Link to={`/listing/${id}`}>{title}</Link>
          </h2>
          {badge}
        </div>
        {children}
      </div>
    </article>
  )
}

/** A list of labeled values in a row: side by side, or one per line on a phone. */
export function RowDetails({ children }: { children: ReactNode }) {
  return <dl className={classes.details}>{children}</dl>
}

interface DetailProps {
  term: string
  tone?: 'strong' | 'muted' | undefined
  note?: string | null
  children: ReactNode
}

export function RowDetail({ term, tone, note = null, children }: DetailProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd data-tone={tone}>{children}</dd>
      {note !== null && <dd className={classes.note}>{note}</dd>}
    </div>
  )
}
