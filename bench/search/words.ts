import type { Random } from '../harness/random.ts'

const onsets = ['b', 'br', 'c', 'ch', 'd', 'dr', 'f', 'fl', 'g', 'gr', 'h', 'k', 'l', 'm', 'n', 'p', 'pr', 'r', 's', 'st', 't', 'tr', 'v', 'w'] // oxfmt-ignore
const nuclei = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'oo'] as const
const codas = ['n', 'r', 'l', 'm', 'k', 't', 'nd', 'rk'] as const
const count = 20_000

/** Invented words in descending frequency. Deterministic. */
export const words: readonly string[] = makeWords()

/** Returns a word with the frequencies of texts: the hundredth is a hundred times as rare as the first (Zipf). */
export function commonWord(random: Random): string {
  return words[Math.floor(count ** random.next()) - 1] ?? ''
}

/** Returns the word with a typing error: two letters swapped, one missing, or one doubled. */
export function mistyped(word: string, random: Random): string {
  const place = 1 + random.below(Math.max(1, word.length - 2))
  const [before, rest] = [word.slice(0, place), word.slice(place + 2)]
  const [letter, after] = [word.charAt(place), word.charAt(place + 1)]
  return random.pick([before + after + letter + rest, before + after + rest, before + letter + letter + after + rest])
}

function makeWords(): string[] {
  const made = new Set<string>()
  for (let number = 0; made.size < count; number += 1) made.add(wordOf(number * 7919))
  return [...made]
}

// Two or three syllables, and an ending that makes the word unique.
function wordOf(number: number): string {
  const syllable = (value: number) =>
    `${onsets[value % onsets.length]}${nuclei[Math.floor(value / onsets.length) % nuclei.length]}`
  const coda = codas[number % codas.length] ?? ''
  return `${syllable(number % 192)}${syllable(Math.floor(number / 192) % 192)}${number % 3 === 0 ? syllable(number % 191) : ''}${coda}`
}
