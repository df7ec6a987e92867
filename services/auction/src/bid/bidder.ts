// A letter as people see it, accents and joined emoji included.
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** All that others learn of a bidder: first and last letter of the name, whatever its length. */
export function maskBidder(name: string): string {
  const seen = Array.from(letters.segment(name.trim()), ({ segment }) => segment)
  return `${seen.at(0) ?? ''}***${seen.at(-1) ?? ''}`
}
