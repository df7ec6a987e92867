import type { ReactNode } from 'react'
import classes from './with-trailing-button.module.css'

/**
 * Returns an `inputContainer` function for a field. The function places a button next to the field. The label is
 * above the field and the button, the error below them.
 */
export function withTrailingButton(button: ReactNode): (field: ReactNode) => ReactNode {
  return (field) => (
    <div className={classes.row}>
      {field}
      {button}
    </div>
  )
}
