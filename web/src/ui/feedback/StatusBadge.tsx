import type { ReactNode } from 'react'
import classes from './StatusBadge.module.css'

interface Props {
  tone: 'good' | 'quiet' | 'time' | 'bad'
  children: ReactNode
}

export function StatusBadge({ tone, children }: Props) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  )
}
