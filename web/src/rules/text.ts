/** The server counts code points, trimmed; an input's own maxlength counts an emoji as two or more. */
export function countCharacters(text: string): number {
  return Array.from(text.trim()).length
}

/** What of a text fits into so many characters. */
export function fitting(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join('')
}
