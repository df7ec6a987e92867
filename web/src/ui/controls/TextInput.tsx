import type { ComponentPropsWithRef } from 'react'
import { Field, splitProps, type FieldProps } from './Field.tsx'

export type TextInputProps = FieldProps & Omit<ComponentPropsWithRef<'input'>, keyof FieldProps>

export function TextInput(props: TextInputProps) {
  const { field, attributes } = splitProps(props)
  return <Field {...field}>{(connected) => <input type="text" {...attributes} {...connected} />}</Field>
}
