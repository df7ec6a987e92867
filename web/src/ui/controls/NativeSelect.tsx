import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { Field, splitProps, type FieldProps } from './Field.tsx'

interface Option {
  value: string
  label: string
}

type Props = FieldProps & Omit<ComponentPropsWithRef<'select'>, keyof FieldProps> & { data: readonly Option[] }

export function NativeSelect({ data, ...props }: Props) {
  const { field, attributes } = splitProps(props)
  return (
    <Field {...field} rightSection={<IconChevronDown size={16} aria-hidden="true" />}>
      {(connected) => (
        <select {...attributes} {...connected}>
          {data.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
