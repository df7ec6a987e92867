import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { toExpansions } from './expansions.ts'
import { parseSynonyms } from './parse-synonyms.ts'
import { expandQuery, titleQuery } from './tsquery-text.ts'

describe('synonyms.txt', () => {
  it('SRCH-13 parses words, one-way words and categories', () => {
    const text = '# furniture\n\nsofa, couch\nsneaker -> shoe, running shoe + category shoes\nbike + category bikes\n'
    expect(parseSynonyms(text)).toEqual([
      { typed: ['sofa', 'couch'], found: ['sofa', 'couch'], category: null },
      { typed: ['sneaker'], found: ['shoe', 'running shoe'], category: 'shoes' },
      { typed: ['bike'], found: ['bike'], category: 'bikes' },
    ])
    expect(() => parseSynonyms('> shoe')).toThrow('invalid line')
  })

  it('SRCH-13 has only valid lines, each with an effect', async () => {
    const lines = parseSynonyms(await readFile(new URL('synonyms.txt', import.meta.url), 'utf8'))
    expect(lines.length).toBeGreaterThan(250)
    for (const { typed, found, category } of lines)
      expect([typed, typed.length > 0 && (found.length > 1 || typed[0] !== found[0] || category !== null)]).toEqual([
        typed,
        true,
      ])
  })
})

describe('the alternatives of words', () => {
  const stems = new Map([
    ['bicycle', { lexemes: ['bicycl'], query: "'bicycl'" }],
    ['bike', { lexemes: ['bike'], query: "'bike'" }],
    ['cell phone', { lexemes: ['cell', 'phone'], query: "'cell' & 'phone'" }],
    ['phone', { lexemes: ['phone'], query: "'phone'" }],
  ])

  it('SRCH-13 are synonyms and categories with the word in their name; a phrase is only found', () => {
    const lines = parseSynonyms('bicycle, bike + category bikes\nphone, cell phone')
    const expansions = toExpansions({ lines, stems, categories: [{ slug: 'home-bikes', lexemes: ['home', 'bike'] }] })
    expect(Object.fromEntries([...expansions].map(([word, queries]) => [word, [...queries]]))).toEqual({
      bicycl: ["'bike'", "' category bikes'"],
      bike: ["'bicycl'", "' category bikes'", "' category home-bikes'"],
      phone: ["'cell' & 'phone'"],
      home: ["' category home-bikes'"],
    })
  })

  it('SRCH-13 are added to the words of a tsquery, quoted ones and prefixes too', () => {
    const expansions = new Map([
      ['bike', new Set(["'bicycl'", "'cell' & 'phone'"])],
      ["it's", new Set(["'its'"])],
    ])
    expect(expandQuery(["'red'", "( 'bike' | 'biker' )"], expansions)).toBe(
      "('red') & (( (('bike') | ('bicycl') | ('cell' & 'phone')) | 'biker' ))",
    )
    expect(expandQuery(["'bike':* & 'it''s'", ''], expansions)).toBe(
      "((('bike':*) | ('bicycl') | ('cell' & 'phone'))) & ((('it''s') | ('its')))",
    )
    expect(expandQuery(["'bike' | 'biker'"], expansions)).toBe(
      "((('bike') | ('bicycl') | ('cell' & 'phone')) | 'biker')",
    )
    expect(expandQuery(["( 'bike' | 'a ) & (' ) & 'red'"], expansions)).toBe(
      "(( (('bike') | ('bicycl') | ('cell' & 'phone')) | 'a ) & (' )) & ('red')",
    )
    expect(expandQuery(["'bike'"], expansions, ['phone', 'bike'])).toBe("((('bike') | ('bicycl')))")
    expect(expandQuery(["'bike'"], expansions, ['bicycl', 'cell'])).toBeNull()
    expect(expandQuery([String.raw`'a\\b' & 'red'`], expansions)).toBeNull()
  })

  it('SRCH-13 that several words share are found by themselves', () => {
    const expansions = new Map([
      ['home', new Set(['C', 'G'])],
      ['decor', new Set(['C', "'ornament'"])],
    ])
    expect(expandQuery(["'red' & 'home'", "'decor'"], expansions)).toBe(
      "('red') & ((C) | (((('home') | (C) | (G))) & ((('decor') | (C) | ('ornament')))))",
    )
  })

  it('SRCH-15 a tsquery for titles has the weight of titles on each word', () => {
    expect(titleQuery(String.raw`'red' & 'bi''ke':* & ('a\\' | 'b')`)).toBe(
      String.raw`'red':A & 'bi''ke':*A & ('a\\':A | 'b':A)`,
    )
  })
})
