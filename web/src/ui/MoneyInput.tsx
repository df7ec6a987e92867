import { TextInput, type TextInputProps } from '@mantine/core'
import classes from './MoneyInput.module.css'

/**
 * Dollars as people type them, "1,234.50" and "$20" too, which a number field would not take. The browser checks nothing:
 * min and step tell, the form's rules judge.
 */
export function MoneyInput(props: TextInputProps) {
  return (
    <TextInput
      inputMode="decimal"
      step="0.01"
      min="0.01"
      leftSection={<span aria-hidden="true">$</span>}
      autoComplete="off"
      className={classes.money}
      {...props}
    />
  )
}
