import { countCharacters, lengthError } from '../../rules/text.ts'
import type { FieldProps } from '../controls/Field.tsx'

const showCountFrom = 0.9

interface Limit {
  name: string
  text: string
  max: number
}
type LimitProps = Pick<FieldProps, 'description' | 'error' | 'isDescriptionBelow'>

/**
 * Returns props for a field with a maximum length. The field shows a counter from 90 % of the limit and an error above
 * the limit. It accepts longer text, because truncating pasted text could go unnoticed. The form must not send text
 * that is too long.
 */
export function characterLimit({ name, text, max }: Limit): LimitProps {
  const count = countCharacters(text)
  return {
    isDescriptionBelow: true,
    description: count >= max * showCountFrom && `${count}/${max} characters`,
    error: lengthError(name, text, max),
  }
}
