import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { watches } from '../testing/listings.ts'
import { setStage, type Stage } from '../testing/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
})
beforeEach(async () => {
  await stage.rows('truncate listings, bids, views, listing_words, vocabulary')
})
afterAll(() => stage.close())

describe('words', () => {
  it.each([
    ['lamps', 'stemmed'],
    ['brass lamp', 'every word'],
    ['lamp brass', 'in any order'],
    ['LAMP', 'in any case'],
    ['the lamp', 'without stop words'],
    ['lam', 'the last as a prefix'],
    ['brass la', 'the last of several as a prefix'],
    ['wh-1000', 'part of a model’s name'],
    ['wh-1000xm4', 'a model’s name'],
    ['1000xm4', 'its second half'],
    ['café', 'with an accent'],
    ['cafe\u0301', 'S15 with an accent in another spelling'],
    ['brass lmap', 'two letters swapped'],
    ['vintge', 'a letter short'],
    ['vintaage lamp', 'a letter too many'],
    ['headphoness sony', 'a mistake before the last word'],
    ['heatphomes', 'two mistakes in a long word'],
  ])('find by %s (%s)', async (search) => {
    const id = await stage.list({
      title: 'Vintage brass lamp, café style, Sony WH-1000XM4 headphones',
      description: 'From the theater.',
    })
    await stage.list({ title: 'A wooden chair' })
    expect((await stage.browse({ search })).ids).toEqual([id])
  })

  // More words begin with "lamp" than are looked up one by one; of "lan" there are two.
  it('beside a filter find whichever of few or many words they may become', async () => {
    const many = ['lampard', 'lampas', 'lampblack', 'lamper', 'lampion', 'lampoon', 'lamprey', 'lampshade', 'lampyrid']
    for (const title of [...many, 'lance', 'lantern']) await stage.list({ title })
    await stage.list({ title: 'lampwick lancet', ...watches })
    expect((await stage.browse({ search: 'lamp', category: 'home-decor' })).total).toBe('9')
    expect((await stage.browse({ search: 'lan', category: 'home-decor' })).total).toBe('2')
    expect((await stage.browse({ search: 'lampwick lan' })).total).toBe('1')
  })

  it.each(['c', 'cat', 'category', 'cond', 'condition'])('are never those of a filter: %s', async (search) => {
    await stage.list()
    expect((await stage.browse({ search })).ids).toEqual([])
  })

  it('are guessed within the filters', async () => {
    const lamp = await stage.list({ title: 'A lantern, a lintern' })
    await stage.list({ title: 'A lantern', ...watches })
    expect((await stage.browse({ search: 'lnatern', category: 'home-decor' })).ids).toEqual([lamp])
  })

  it('find nothing where one word is missing', async () => {
    await stage.list()
    expect((await stage.browse({ search: 'brass trumpet' })).ids).toEqual([])
  })

  it('with more mistakes than a person makes find nothing', async () => {
    await stage.list({ title: 'A lamp' })
    expect((await stage.browse({ search: 'lump' })).ids).toHaveLength(1)
    expect((await stage.browse({ search: 'lumb' })).ids).toEqual([])
  })

  it('are guessed only where the words as typed find nothing', async () => {
    const [lamp] = [await stage.list({ title: 'A lamp' }), await stage.list({ title: 'A clamp' })]
    expect((await stage.browse({ search: 'lamp' })).ids).toEqual([lamp])
    expect((await stage.browse({ search: 'lamp', category: 'watches' })).ids).toEqual([])
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
  ])('S2 that are syntax, noise or long are only words: %j', async (search) => {
    await stage.list()
    expect((await stage.browse({ search })).status).toBe(200)
  })
})
