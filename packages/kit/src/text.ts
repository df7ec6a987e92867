import { z } from 'zod'

// NUL, and the overrides of the reading direction, which make a text show as another than it is.
const refused = [0, 0x202d, 0x202e].map((code) => String.fromCodePoint(code))

const notAllowed = 'Must not contain NUL, broken characters or direction overrides'

/** Text of a request: trimmed, counted in code points, well-formed and without NUL (decisions.md, wire format). */
export function text(limits: { min?: number; max: number; tooShort?: string; tooLong?: string }) {
  const { min = 0, max, tooShort = 'Must not be empty', tooLong = `Must have at most ${max} characters` } = limits
  return z
    .string()
    .refine((value) => value.isWellFormed() && !refused.some((character) => value.includes(character)), notAllowed)
    .transform((value) => value.trim())
    .refine((value) => countCharacters(value) >= min, tooShort)
    .refine((value) => countCharacters(value) <= max, tooLong)
    .meta({ minLength: min, maxLength: max })
}

/** Characters as people count them: code points, so that an emoji is one. */
export function countCharacters(value: string): number {
  return Array.from(value).length
}
