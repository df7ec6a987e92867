import type { ReactNode } from 'react'
import classes from './with-trailing-button.module.css'

/** Returns an `inputContainer` that places a button next to the field, with the label above and the error below both. */
export function withTrailingButton(button: ReactNode): (field: ReactNode) => ReactNode {
  return (field) => (
    <div className={classes.row}>
      {field}
      {button}
    </div>
  )
}
