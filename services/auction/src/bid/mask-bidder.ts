// Splits text into user-perceived characters, so that combining accents and joined emoji stay whole.
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

// In printable ASCII every character is a grapheme. Segmenting would take a tenth of a bid's CPU time under load.
const printableAscii = /^[ -~]*$/

/** Masks a bidder's name for other users: first and last character, and three asterisks whatever the length. */
export function maskBidder(name: string): string {
  const trimmed = name.trim()
  const characters = printableAscii.test(trimmed)
    ? trimmed
    : Array.from(graphemes.segment(trimmed), ({ segment }) => segment)
  return `${characters.at(0) ?? ''}***${characters.at(-1) ?? ''}`
}
