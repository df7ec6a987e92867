import type { ReactNode } from 'react'
import classes from './VisuallyHidden.module.css'

interface Props {
  component?: 'span' | 'output' | 'h1' | 'h2' | 'h3'
  children?: ReactNode
}

/** Text for screen readers only. */
export function VisuallyHidden({ component: Element = 'span', children }: Props) {
  return <Element className={classes.hidden}>{children}</Element>
}
