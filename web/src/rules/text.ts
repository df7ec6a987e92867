/** Counts code points, as the server does. An input's maxlength would count an emoji as two or more. */
export function countCharacters(text: string): number {
  return Array.from(text).length
}

/** Maximum length of a search term that the API accepts. */
export const maxTermLength = 200

/** Returns the error message for a text that is too long once trimmed, as it is sent; otherwise null. */
export function lengthError(name: string, text: string, max: number): string | null {
  return countCharacters(text.trim()) > max ? `${name} can have at most ${max} characters` : null
}

/** Returns the first `max` code points of a text. */
export function truncate(text: string, max: number): string {
  return text.length <= max ? text : Array.from(text).slice(0, max).join('')
}
