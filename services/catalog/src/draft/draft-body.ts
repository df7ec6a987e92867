import { z } from 'zod'

// Limits of a draft: its size as JSON in UTF-8 bytes, and its nesting depth. The listing form needs a depth of 2.
const maxBytes = 64 * 1024
const maxDepth = 5
// Greatest absolute value of a number in a draft. Postgres stores a number such as 1e300 with all its digits, so a
// short draft could need much space.
const maxNumber = 1e15
const nul = String.fromCodePoint(0)

/**
 * The unfinished contents of a form: an object of strings, numbers, booleans and lists. The field names are not
 * checked, because the web page defines them.
 */
export const DraftBody = z
  .record(z.string(), z.unknown())
  .superRefine((body, context) => {
    const problem = findProblem(body)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
  .meta({ id: 'DraftBody', description: 'The form as typed, at most 64 KiB and 5 levels deep' })

/** Returns the reason why a value cannot be stored as a draft, or null if it can. */
export function findProblem(body: unknown): string | null {
  const problem = findProblemIn(body, 1)
  if (problem !== null) return problem
  return Buffer.byteLength(JSON.stringify(body)) > maxBytes ? 'A draft can have at most 64 KiB' : null
}

function findProblemIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'Must not contain NUL or broken characters'
  if (typeof value === 'number') return Math.abs(value) <= maxNumber ? null : 'Must not contain a number above 1e15'
  if (typeof value !== 'object' || value === null) return null
  if (depth > maxDepth) return `A draft can have at most ${maxDepth} levels`
  const parts = Array.isArray(value) ? value : Object.entries(value).flat()
  for (const part of parts) {
    const problem = findProblemIn(part, depth + 1)
    if (problem !== null) return problem
  }
  return null
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes(nul)
}
