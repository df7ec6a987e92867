import type { ReactNode } from 'react'
import classes from './with-trailing-button.module.css'

/**
 * Returns an `inputContainer` function for a Mantine input. It places a button next to the field; the label is above and the
 * error below both.
 */
export function withTrailingButton(button: ReactNode): (field: ReactNode) => ReactNode {
  return (field) => (
    <div className={classes.row}>
      {field}
      {button}
    </div>
  )
}
