import { TextInput, type TextInputProps } from '@mantine/core'

/** Dollars as people type them. The browser checks nothing (`noValidate`): min and step tell, the form's rules judge. */
export function MoneyInput(props: TextInputProps) {
  return (
    <TextInput
      type="number"
      inputMode="decimal"
      step="0.01"
      min="0.01"
      leftSection={<span aria-hidden="true">$</span>}
      // A wheel over a focused number field would change the amount.
      onWheel={(event) => event.currentTarget.blur()}
      {...props}
    />
  )
}
