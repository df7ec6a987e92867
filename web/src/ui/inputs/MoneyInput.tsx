import { TextInput, type TextInputProps } from '../controls/TextInput.tsx'
import classes from './MoneyInput.module.css'

/**
 * A number field for dollars. The browser drops characters such as "$" and "," when they are typed or pasted. `min` and
 * `step` only affect the arrow keys and assistive technology; the form validates the amount.
 */
export function MoneyInput(props: TextInputProps) {
  return (
    <TextInput
      type="number"
      inputMode="decimal"
      step="0.01"
      min="0.01"
      leftSection={<span aria-hidden="true">$</span>}
      autoComplete="off"
      // Removes the focus when the mouse wheel turns, because the wheel would otherwise change the amount instead of
      // scrolling the page.
      onWheel={(event) => event.currentTarget.blur()}
      className={classes.money}
      {...props}
    />
  )
}
