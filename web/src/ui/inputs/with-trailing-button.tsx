import type { ReactNode } from 'react'
import classes from './with-trailing-button.module.css'

/**
 * Returns an `inputContainer` function that places a button next to the input of a field, between the label and the
 * error.
 */
export function withTrailingButton(button: ReactNode): (field: ReactNode) => ReactNode {
  return (field) => (
    <div className={classes.row}>
      {field}
      {button}
    </div>
  )
}
