/** What somebody searched: as they typed it, and as it is compared. */
export interface SearchTerm {
  text: string
  key: string
}

export function searchTerm(typed: string): SearchTerm {
  const text = typed.normalize()
  return { text, key: text.toLowerCase() }
}

/** Whether a word of a text begins with what was typed. */
export function hasWordLike(text: string, { key }: SearchTerm): boolean {
  return ` ${searchTerm(text).key}`.includes(` ${key}`)
}
