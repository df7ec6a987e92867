export interface SearchTerm {
  /**
   * The term as typed, in Unicode normal form NFC, without control characters and characters that change the reading
   * direction.
   */
  text: string
  /** The text in lower case. Terms with the same key count as one term. */
  key: string
}

const controls = /\p{Cc}+/gu
// Characters that change the reading direction. They are removed, because they could make a term appear in a misleading
// order.
const directions = /\p{Bidi_Control}/gu

export function searchTerm(typed: string): SearchTerm {
  const text = typed.normalize().replaceAll(controls, ' ').replaceAll(directions, '').trim()
  return { text, key: text.toLowerCase() }
}

/** Returns whether a word of the text starts with the term, ignoring case. Returns false for an empty term. */
export function hasWordStartingWith(text: string, { key }: SearchTerm): boolean {
  return key !== '' && ` ${searchTerm(text).key}`.includes(` ${key}`)
}
