import { z } from 'zod'

const nul = String.fromCodePoint(0)
// Control characters, ends of lines among them, and overrides of the reading direction, which make a text show as another than it is.
const notInLine = /[\p{Cc}\u202D\u202E]/u

// Letters that show nothing, beside those that `trim` takes away: fillers, joiners, selectors, the blank Braille pattern.
const nothingToSee = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\s\u2800]*$/u

/** Text of a request: trimmed, counted in code points, well-formed and without NUL (decisions.md, wire format). */
export function text(limits: { min?: number; max: number; tooShort?: string; tooLong?: string }) {
  const { min = 0, max, tooShort = 'Must not be empty', tooLong = `Must have at most ${max} characters` } = limits
  return z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes(nul), 'Must not contain NUL or broken characters')
    .transform((value) => value.trim())
    .refine((value) => min === 0 || (countCharacters(value) >= min && !nothingToSee.test(value)), tooShort)
    .refine((value) => countCharacters(value) <= max, tooLong)
    .meta({ minLength: min, maxLength: max })
}

/** Text of one line, such as a title; also without control characters and direction overrides. */
export function line(limits: Parameters<typeof text>[0]) {
  return text(limits).refine((value) => !notInLine.test(value), 'Must be one line, without direction overrides')
}

/** Characters as people count them: code points, so that an emoji is one. */
export function countCharacters(value: string): number {
  return Array.from(value).length
}
