export interface SearchTerm {
  /** The term as typed, in Unicode normal form NFC, without control and direction characters. */
  text: string
  /** The text in lower case; terms with the same key count as one. */
  key: string
}

const controls = /\p{Cc}+/gu
// Characters that change the reading direction could display a text in a misleading order.
const directions = /\p{Bidi_Control}/gu

export function searchTerm(typed: string): SearchTerm {
  const text = typed.normalize().replaceAll(controls, ' ').replaceAll(directions, '').trim()
  return { text, key: text.toLowerCase() }
}

/** Checks whether the text contains the term, which must not be empty, at the beginning of a word, ignoring case. */
export function hasWordStartingWith(text: string, { key }: SearchTerm): boolean {
  return key !== '' && ` ${searchTerm(text).key}`.includes(` ${key}`)
}
