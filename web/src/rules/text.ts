/** The server counts code points, trimmed; an input's own maxlength counts an emoji as two or more. */
export function countCharacters(text: string): number {
  return Array.from(text.trim()).length
}

/** Of a search, as the API takes it. */
export const longestTerm = 200

/** The sentence for a text that is longer than it may be; null for one that is not. */
export function tooLong(name: string, text: string, most: number): string | null {
  return countCharacters(text) > most ? `${name} can have at most ${most} characters` : null
}

/** What of a text fits into so many characters. */
export function fitting(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join('')
}
