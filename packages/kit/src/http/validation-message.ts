import type { ProblemDetail } from '../errors/problem.ts'

// Maps messages of zod to messages for users. Each function returns the part after the field name, such as `must be a
// number`.
const wordings: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/received undefined$/, () => 'is required'],
  [/^Invalid input: expected string/, () => 'must be text'],
  [/^Invalid input: expected (?:int|number)/, () => 'must be a number'],
  [/^Invalid input: expected boolean/, () => 'must be true or false'],
  [/^Invalid input: expected array/, () => 'must be a list'],
  [/^Invalid input: expected (?:object|record)/, () => 'must be an object'],
  [/^Invalid UUID/, () => 'is not a valid id'],
  [/^Invalid ISO datetime/, () => 'must be a date and time with its offset'],
  [
    /^Invalid option: expected one of (.*)$/,
    (options) => `must be one of ${options.replaceAll('"', '').replaceAll('|', ', ')}`,
  ],
  [/^Too (?:big|small): expected \w+ to be (.*)$/, (bound) => `must be ${describeBound(bound)}`],
  [/^Too (?:big|small): expected \w+ to have (.*)$/, (bound) => `must have ${describeBound(bound)}`],
  [/^Must (.*)$/, (rest) => `must ${rest}`],
  [/^Is (.*)$/, (rest) => `is ${rest}`],
]

const comparisons: readonly (readonly [RegExp, string])[] = [
  [/^<=/, 'at most '],
  [/^>=/, 'at least '],
  [/^</, 'less than '],
  [/^>/, 'more than '],
]

function describeBound(bound: string): string {
  const [sign, words] = comparisons.find(([form]) => form.test(bound)) ?? ['', '']
  return bound.replace(sign, words)
}

/** Returns a sentence for the user about an invalid field. A message that is already a full sentence is returned unchanged. */
export function validationMessage({ path, message }: ProblemDetail): string {
  for (const [form, wording] of wordings) {
    const found = form.exec(message)
    if (found) return `${fieldName(path)} ${wording(found[1] ?? '')}`
  }
  const isSentence = /^[A-Z].* .*[^:]$/.test(message) && !message.startsWith('Invalid')
  return isSentence ? message : `${fieldName(path)} is not valid`
}

// Returns the last name in a path as text for users: `listing_id` becomes `Listing`, `conversation_history.0.sender` becomes
// `Sender`.
function fieldName(path: string): string {
  const field = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? path
  const words = field.replaceAll(/[_-]/g, ' ').replace(/(?<=.) id$/, '')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
