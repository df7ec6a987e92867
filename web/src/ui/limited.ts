import type { InputWrapperProps } from '@mantine/core'
import { countCharacters, tooLong } from '../rules/text.ts'

const nearTheEnd = 0.9

type Limit = { name: string; text: string; most: number }
type Told = Pick<InputWrapperProps, 'description' | 'error' | 'inputWrapperOrder'>

/**
 * What a field of limited length tells below it: the count, once that nears the limit, and that it is over. The field takes
 * more all the same, so that nothing of what is pasted goes unnoticed; its form refuses to send it.
 */
export function limited({ name, text, most }: Limit): Told {
  const count = countCharacters(text)
  return {
    inputWrapperOrder: ['label', 'input', 'description', 'error'],
    description: count >= most * nearTheEnd && `${count}/${most} characters`,
    error: tooLong(name, text, most),
  }
}
