// Splits text into the characters that a reader sees, so that combining accents and joined emoji stay whole.
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// Text of printable ASCII characters skips the slow segmenter, because each character is one grapheme.
const printableAscii = /^[ -~]*$/

/**
 * Masks a bidder's name for other users: the first and the last character with three asterisks between them, whatever
 * the length of the name.
 */
export function maskBidder(name: string): string {
  const trimmed = name.trim()
  const characters = printableAscii.test(trimmed)
    ? trimmed
    : Array.from(graphemes.segment(trimmed), ({ segment }) => segment)
  return `${characters.at(0) ?? ''}***${characters.at(-1) ?? ''}`
}
