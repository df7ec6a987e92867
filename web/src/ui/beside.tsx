import type { ReactNode } from 'react'
import classes from './beside.module.css'

/** For a field's `inputContainer`: a button beside the field itself, label above and error below both. */
export function beside(button: ReactNode): (field: ReactNode) => ReactNode {
  return (field) => (
    <div className={classes.row}>
      {field}
      {button}
    </div>
  )
}
