import type { ReactNode } from 'react'
import classes from './with-trailing-button.module.css'

/** Returns an `inputContainer` function that places a button in the row of a field's input. */
export function withTrailingButton(button: ReactNode): (field: ReactNode) => ReactNode {
  return (field) => (
    <div className={classes.row}>
      {field}
      {button}
    </div>
  )
}
