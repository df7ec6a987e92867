import { z } from 'zod'

const nul = String.fromCodePoint(0)
// Matches control characters (including line breaks) and direction overrides, which make text appear in a different
// order than it is stored.
const forbiddenInLine = /[\p{Cc}\u202D\u202E]/u
const forbiddenInLineGlobal = new RegExp(forbiddenInLine, 'gu')

// Matches text that consists only of invisible characters, including those that `trim` keeps: fillers, joiners,
// variation selectors and the blank Braille pattern.
const onlyInvisible = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\s\u2800]*$/u

// Patterns that the OpenAPI document shows for text fields. The validation is stricter: for example, it also rejects
// ill-formed Unicode.
const withoutNul = String.raw`^[^\u0000]*$`
const notBlank = String.raw`^[^\u0000]*[^\u0000\s][^\u0000]*$`

/**
 * Returns a schema for text in a request. It trims the text and rejects ill-formed Unicode and NUL. Limits are in code
 * points.
 */
export function text(limits: { min?: number; max: number; tooShort?: string; tooLong?: string }) {
  const { min = 0, max, tooShort = 'Must not be empty', tooLong = `Must have at most ${max} characters` } = limits
  return z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes(nul), 'Must not contain NUL or broken characters')
    .transform((value) => value.trim())
    .refine((value) => min === 0 || (countCharacters(value) >= min && !onlyInvisible.test(value)), tooShort)
    .refine((value) => countCharacters(value) <= max, tooLong)
    .meta({ minLength: min, maxLength: max, pattern: min === 0 ? withoutNul : notBlank })
}

/** Returns a schema for single-line text, such as a title. Rejects control characters and direction overrides. */
export function line(limits: Parameters<typeof text>[0]) {
  return text(limits).refine((value) => !forbiddenInLine.test(value), 'Must be one line, without direction overrides')
}

/**
 * Converts text from another system to one line of at most `max` characters: well-formed Unicode, without control
 * characters and direction overrides. Text that has only invisible characters becomes empty.
 */
export function cleanLine(value: string, max: number): string {
  // Truncates the text to a generous length first, because text from another system can have several megabytes.
  const wellFormed = value.slice(0, 8 * max).toWellFormed()
  const cleaned = wellFormed.replaceAll(forbiddenInLineGlobal, ' ').trim()
  return onlyInvisible.test(cleaned) ? '' : Array.from(cleaned).slice(0, max).join('').trim()
}

/** Counts code points instead of UTF-16 units, so that a simple emoji counts as one character. */
export function countCharacters(value: string): number {
  return Array.from(value).length
}
