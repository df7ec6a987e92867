import { transaction } from '@marketplace/kit/db/db.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import { startWithEmptyIndex } from '../testing/empty-index.ts'
import type { Harness } from '../testing/harness.ts'
import { makeListing } from '../testing/listings.ts'
import { indexListings } from './index-listings.ts'
import { createWordSweep } from './sweep-words.ts'

let harness: Harness

startWithEmptyIndex((started) => {
  harness = started
})

const wordsOf = async (table: 'lexemes' | 'vocabulary') =>
  (await harness.query(`select t::text as word from ${table} as t order by 1`)).map(({ word }) => String(word))

/** Creates a listing and ends it, so that its words are stored and no active listing has them. */
async function endListing(title: string): Promise<void> {
  const listing = makeListing({ title })
  await harness.createListing(listing)
  await harness.changeListing({ ...listing, isActive: false, version: 2n })
}

describe('the sweep of words', () => {
  it('deletes the words that no active listing has, and keeps the others', async () => {
    await harness.createListing({ title: 'The blue lamps', description: 'It was rewired' })
    await endListing('A green lamp')
    expect(await wordsOf('lexemes')).toContain('(green)')
    await createWordSweep(harness.db)()
    expect(await wordsOf('lexemes')).toEqual(['(blue)', '(lamp)', '(rewir)'])
    // Stop words are kept, and other forms of a word in use.
    expect(await wordsOf('vocabulary')).toEqual(['(a)', '(blue)', '(lamp)', '(lamps)', '(the)'])
    expect((await harness.browse({ search: 'blu' })).ids).toHaveLength(1)
  })

  it('deletes words with quotes and backslashes, and keeps those that a listing has', async () => {
    const odd = String.raw`C:\temp\'x' it's http://a.example/b'c\d?e=1`
    await endListing(odd)
    const before = await wordsOf('lexemes')
    await createWordSweep(harness.db)()
    expect(await wordsOf('lexemes')).toEqual([])
    await harness.createListing({ title: odd })
    expect(await wordsOf('lexemes')).toEqual(before)
    await createWordSweep(harness.db)()
    expect(await wordsOf('lexemes')).toEqual(before)
  })

  it('looks at one batch per run, and at every word in turn', async () => {
    const ended = Array.from({ length: 10 }, (_, index) => `word${index}`)
    await endListing(ended.join(' '))
    const sweep = createWordSweep(harness.db, 4)
    const counts: number[] = []
    for (let run = 0; run < 4; run += 1) {
      expect(await sweep()).toBe(0)
      counts.push((await wordsOf('lexemes')).length)
    }
    expect(counts).toEqual([6, 2, 0, 0])
    await endListing('again')
    await sweep()
    expect(await wordsOf('lexemes')).toEqual([])
  })

  it('looks at 1,000 words of each table in one run', async () => {
    await harness.query(`insert into lexemes select 'w' || n from generate_series(1, 1500) as n`)
    await harness.query(`insert into vocabulary select 'w' || n from generate_series(1, 1500) as n`)
    await createWordSweep(harness.db)()
    expect([(await wordsOf('lexemes')).length, (await wordsOf('vocabulary')).length]).toEqual([500, 500])
  })

  // Fails without the lock in keep_lexemes: the word is deleted while the listing that brings it back is not committed.
  it('waits for a listing that brings a word back, and keeps the word', async () => {
    await endListing('Brougham')
    let swept: Promise<number> | undefined
    await transaction(harness.db, async (trx) => {
      await indexListings(trx, [makeListing({ title: 'A Brougham' })])
      swept = createWordSweep(harness.db)()
      await eventually(async () => {
        const waiting = await harness.query(
          `select from pg_locks join pg_database on pg_database.oid = database
           where locktype = 'advisory' and not granted and datname = current_database()`,
        )
        return waiting.length > 0
      })
    })
    await swept
    expect(await wordsOf('lexemes')).toContain('(brougham)')
    expect(await wordsOf('vocabulary')).toContain('(brougham)')
    expect((await harness.browse({ search: 'broug' })).ids).toHaveLength(1)
  })

  it('never loses a word when listings that bring words back race with it', async () => {
    for (let round = 0; round < 30; round += 1) {
      const word = `brougham${round}`
      await endListing(word)
      await Promise.all([
        createWordSweep(harness.db)(),
        ...Array.from({ length: 4 }, () => harness.createListing({ title: `${word} ${round}x` })),
        createWordSweep(harness.db)(),
      ])
      const lost = await harness.query(
        `select word from listing_words, unnest(tsvector_to_array(words)) as word
         where word not like ' %' and not exists (select from lexemes where lexeme = word)`,
      )
      expect(lost).toEqual([])
      expect(await wordsOf('vocabulary')).toContain(`(${word})`)
      expect((await harness.browse({ search: word.slice(0, -1) })).ids.length).toBeGreaterThan(0)
    }
  })
})
