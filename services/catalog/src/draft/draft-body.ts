import { z } from 'zod'

// Limits of a draft: its size as JSON in UTF-8 bytes, and its nesting depth. The listing form needs a depth of 2.
const maxBytes = 64 * 1024
const maxDepth = 5
// Bounds of the absolute value of a number in a draft; 0 is allowed too. Postgres stores 1e300 and 1e-300 with all
// their digits, so a short draft with such numbers could need much space.
const maxNumber = 1e15
const minNumber = 1e-6
const nul = String.fromCodePoint(0)

/**
 * The unfinished contents of a form: an object of strings, numbers, booleans and lists. The field names are not
 * checked, because the web page defines them.
 */
export const DraftBody = z
  .record(z.string(), z.unknown())
  .superRefine((body, context) => {
    const problem = findProblem(body)
    if (problem !== null) context.addIssue({ code: 'custom', ...problem })
  })
  .meta({ id: 'DraftBody', description: 'The form as typed, at most 64 KiB and 5 levels deep' })

interface Problem {
  /** Contains the name of the field with the problem. Empty if the name or the whole body is the problem. */
  path: string[]
  message: string
}

// Returns the reason why a body cannot be stored as a draft, or null if it can.
function findProblem(body: Record<string, unknown>): Problem | null {
  for (const [name, value] of Object.entries(body)) {
    const message = findProblemIn([name, value], 1)
    if (message !== null) return { path: isStorable(name) ? [name] : [], message }
  }
  const isTooLarge = Buffer.byteLength(JSON.stringify(body)) > maxBytes
  return isTooLarge ? { path: [], message: 'A draft can have at most 64 KiB' } : null
}

function findProblemIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'Must not contain NUL or broken characters'
  if (typeof value === 'number')
    return isShort(value) ? null : 'Must not contain a number above 1e15 or closer to 0 than 1e-6'
  if (typeof value !== 'object' || value === null) return null
  if (depth > maxDepth) return `A draft can have at most ${maxDepth} levels`
  const parts = Array.isArray(value) ? value : Object.entries(value).flat()
  for (const part of parts) {
    const problem = findProblemIn(part, depth + 1)
    if (problem !== null) return problem
  }
  return null
}

function isShort(number: number): boolean {
  const size = Math.abs(number)
  return size === 0 || (size >= minNumber && size <= maxNumber)
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes(nul)
}
