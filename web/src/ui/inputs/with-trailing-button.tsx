import type { ReactNode } from 'react'
import classes from './with-trailing-button.module.css'

/**
 * Returns a function for a form field's `inputContainer` property. The function places the button after the input, in
 * the same row.
 */
export function withTrailingButton(button: ReactNode): (field: ReactNode) => ReactNode {
  return (field) => (
    <div className={classes.row}>
      {field}
      {button}
    </div>
  )
}
