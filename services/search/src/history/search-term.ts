export interface SearchTerm {
  /** The term as typed, in Unicode normal form NFC. */
  text: string
  /** The text in lower case; terms with the same key count as one. */
  key: string
}

export function searchTerm(typed: string): SearchTerm {
  const text = typed.normalize()
  return { text, key: text.toLowerCase() }
}

/** Checks whether the text contains the term at the beginning of a word, ignoring case. */
export function hasWordStartingWith(text: string, { key }: SearchTerm): boolean {
  return ` ${searchTerm(text).key}`.includes(` ${key}`)
}
