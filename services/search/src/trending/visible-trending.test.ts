import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import type { TrendingStore } from './trending-store.ts'
import { maxChecksPerMinute, visibleTrending } from './visible-trending.ts'

let harness: Harness
let counted: string[]
let time: number
const store: TrendingStore = { top: async (limit) => counted.slice(0, limit) }

beforeAll(async () => {
  harness = await createHarness()
})
beforeEach(async () => {
  await harness.query('truncate listings, listing_words, vocabulary, blocked_terms')
  counted = []
  time = 0
})
afterAll(() => harness.close())

const open = () => visibleTrending(harness.db, store, () => time)
const top = (trending: TrendingStore) => () => trending.top(500)

describe('visible trending terms', () => {
  it('SRCH-09 have their words in an active listing, the last one as a prefix', async () => {
    await harness.createListing({ title: 'Two brass lamps' })
    await harness.createListing({ title: 'A sold clock', isActive: false })
    counted = ['lamp brass', 'the', '', 'clock', 'brass la', "lamp' & !", 'brass clock', 'LAMP']
    expect(await open().top(500)).toEqual(['lamp brass', 'brass la', "lamp' & !", 'LAMP'])
  })

  it('R14 SRCH-09 are checked at most 20 times a minute, in order', async () => {
    await harness.createListing({ title: Array.from({ length: 60 }, (_, n) => `w${n}`).join(' ') })
    counted = Array.from({ length: 50 }, (_, n) => `w${n}`)
    const trending = open()
    expect(await trending.top(500)).toEqual(counted.slice(0, maxChecksPerMinute))
    time = 60_000
    await expect.poll(top(trending)).toEqual(counted.slice(0, 2 * maxChecksPerMinute))
  })

  it('SRCH-09 disappear within minutes of their last listing, and return with the next one', async () => {
    const id = await harness.createListing({ title: 'A lamp' })
    counted = ['lamp']
    const trending = open()
    expect(await trending.top(10)).toEqual(['lamp'])
    await harness.query('delete from listing_words where listing_id = $1', [id])
    time = 121_000
    await expect.poll(top(trending)).toEqual([])
    await harness.createListing({ title: 'A lamp' })
    time = 1_100_000
    await expect.poll(top(trending)).toEqual(['lamp'])
  })

  it('SRCH-09 exclude blocked terms and terms that contain one, until it is allowed again', async () => {
    await harness.createListing({ title: 'A rude-lamp, a rude\u00A0lamp and a rude lamp for the prudent' })
    const separated = ['rude-lamp', 'rude,lamp', 'rude\u00A0lamp', 'rude  lamp']
    counted = ['rude lamp', 'Rude', 'prudent', 'lamp', 'rude!', ...separated]
    const trending = open()
    expect(await trending.top(10)).toEqual(counted)
    await command('block', 'RUDE')
    await expect.poll(top(trending)).toEqual(['prudent', 'lamp'])
    await command('allow', 'rude')
    await expect.poll(top(trending)).toEqual(counted)
    await command('block', 'Rude (lamp)')
    await expect.poll(top(trending)).toEqual(['Rude', 'prudent', 'lamp', 'rude!'])
    await expect(command('remove', 'rude')).rejects.toThrow('Usage')
    await expect(command('block', ' ')).rejects.toThrow('Usage')
  })

  it('SRCH-09 exclude at most 1,000 blocked terms; the command fails when another one is added', async () => {
    await harness.createListing({ title: 'A rude lamp' })
    counted = ['rude', 'lamp']
    await harness.query(`insert into blocked_terms select 'other ' || n from generate_series(1, 1000) as n`)
    await expect(command('block', 'rude')).rejects.toThrow('At most 1000 terms can be blocked.')
    expect(await open().top(10)).toEqual(counted)
    await command('block', 'Other 1')
    await command('allow', 'other 2')
    await command('block', 'rude')
    expect(await open().top(10)).toEqual(['lamp'])
  })
})

function command(...values: string[]) {
  const file = join(import.meta.dirname, '../block-term.command.ts')
  return promisify(execFile)(process.execPath, [file, ...values], { env: { DATABASE_URL: harness.database.url } })
}
