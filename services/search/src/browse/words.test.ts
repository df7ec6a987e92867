import { describe, expect, it } from 'vitest'
import { watches } from '../testing/listings.ts'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

describe('search words', () => {
  it.each([
    ['lamps', 'stemmed'],
    ['brass lamp', 'every word'],
    ['lamp brass', 'in any order'],
    ['LAMP', 'in any case'],
    ['the lamp', 'without stop words'],
    ['lamp for', 'without a stop word at the end'],
    ['the', 'a stop word as a prefix'],
    ['lam', 'the last word as a prefix'],
    ['brass la', 'the last of several words as a prefix'],
    ['wh-1000', 'part of a model’s name'],
    ['wh-1000xm4', 'a model’s name'],
    ['1000xm4', 'the second half of a model’s name'],
    ['café', 'with an accent'],
    ['cafe\u0301', 'S15 with an accent as a combining character'],
    ['vinatge lamp', 'two letters swapped'],
    ['vintge', 'a letter missing'],
    ['vintaage lamp', 'a letter too many'],
    ['headphoness sony', 'an error before the last word'],
    ['heatphomes', 'two errors in a long word'],
  ])('find a listing by %s (%s)', async (search) => {
    const id = await harness.createListing({
      title: 'Vintage brass lamp, café style, Sony WH-1000XM4 headphones',
      description: 'From the theater.',
    })
    await harness.createListing({ title: 'A wooden chair' })
    expect((await harness.browse({ search })).ids).toEqual([id])
  })

  // "lamp" has more completions than are looked up as whole words; "lan" has two.
  it('match every completion of the last word within a filter', async () => {
    const many = ['lampard', 'lampas', 'lampblack', 'lamper', 'lampion', 'lampoon', 'lamprey', 'lampshade', 'lampyrid']
    for (const title of [...many, 'lance', 'lantern']) await harness.createListing({ title })
    await harness.createListing({ title: 'lampwick lancet', ...watches })
    expect((await harness.browse({ search: 'lamp', category: 'home-decor' })).total).toBe('9')
    expect((await harness.browse({ search: 'lan', category: 'home-decor' })).total).toBe('2')
    expect((await harness.browse({ search: 'lampwick lan' })).total).toBe('1')
  })

  it.each(['c', 'cat', 'category', 'cond', 'condition'])('never match the stored filter words: %s', async (search) => {
    await harness.createListing()
    expect((await harness.browse({ search })).ids).toEqual([])
  })

  it('match fuzzily within the filters', async () => {
    const lamp = await harness.createListing({ title: 'A lantern, a lintern' })
    await harness.createListing({ title: 'A lantern', ...watches })
    expect((await harness.browse({ search: 'lnatern', category: 'home-decor' })).ids).toEqual([lamp])
  })

  it('find nothing if one word is missing', async () => {
    await harness.createListing()
    expect((await harness.browse({ search: 'brass trumpet' })).ids).toEqual([])
  })

  it('find nothing if too many letters are wrong', async () => {
    await harness.createListing({ title: 'A lantern' })
    expect((await harness.browse({ search: 'lentern' })).ids).toHaveLength(1)
    expect((await harness.browse({ search: 'lentarm' })).ids).toEqual([])
  })

  it('match fuzzily only if the words as typed find nothing', async () => {
    const [lamp] = [await harness.createListing({ title: 'A lamp' }), await harness.createListing({ title: 'A clamp' })]
    expect((await harness.browse({ search: 'lamp' })).ids).toEqual([lamp])
    expect((await harness.browse({ search: 'lamp', category: 'watches' })).ids).toEqual([])
  })

  it.each([
    'a & | ! ( <-> :*',
    '"unbalanced',
    "it's",
    "''",
    "' '",
    '!!!!',
    '\\',
    "\\' | lamp",
    'a:* b:A',
    '%',
    '<script>alert(1)</script>',
    'https://example.com/a?b=c&d',
    'a'.repeat(200),
    'x '.repeat(100).trim(),
    '& '.repeat(99).trim(),
    '\u{1F570}\u{FE0F}',
    '\u202E',
    'the',
    '-lamp OR "a b"',
    '10.5 1/2 3,000',
  ])('S2 are treated as plain text even if they are query syntax, noise or long: %j', async (search) => {
    await harness.createListing()
    expect((await harness.browse({ search })).status).toBe(200)
  })
})
