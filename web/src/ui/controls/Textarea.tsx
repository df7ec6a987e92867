import type { ComponentPropsWithRef } from 'react'
import { Field, splitProps, type FieldProps } from './Field.tsx'

type Props = FieldProps & Omit<ComponentPropsWithRef<'textarea'>, keyof FieldProps>

export function Textarea(props: Props) {
  const { field, attributes } = splitProps(props)
  return <Field {...field}>{(connected) => <textarea {...attributes} {...connected} />}</Field>
}
