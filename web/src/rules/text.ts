/**
 * Returns the number of code points in a text, as the server counts them. The attribute `maxlength` is not used,
 * because it counts an emoji as two or more characters.
 */
export function countCharacters(text: string): number {
  return Array.from(text).length
}

/** Maximum length of a search term that the API accepts. */
export const maxTermLength = 200

/**
 * Returns the error message for a text that is too long; otherwise null. The text is trimmed before counting, because it is
 * sent trimmed.
 */
export function lengthError(name: string, text: string, max: number): string | null {
  return countCharacters(text.trim()) > max ? `${name} must be ${max} characters or fewer` : null
}

// The server truncates the descriptions in lists to this many characters.
const maxListedDescription = 160

/** Appends an ellipsis to a listing's description if the server truncated it. */
export function listedDescription(description: string): string {
  return countCharacters(description) === maxListedDescription ? `${description.trimEnd()}…` : description
}

/** Returns the first `max` code points of a text. */
export function truncate(text: string, max: number): string {
  return text.length <= max ? text : Array.from(text).slice(0, max).join('')
}
