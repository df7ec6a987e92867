import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { columns, listingLine } from './listings.ts'

const linesAtOnce = 500

/** Inserts the listings from one number up to another in bulk, with the same rows as catalog's events would produce. */
export async function loadListings(client: pg.Client, from: number, to: number): Promise<void> {
  await withoutIndexes(client, async () => {
    const copy = client.query(copyFrom(`copy listings (${columns.join(', ')}) from stdin`))
    await pipeline(Readable.from(lines(from, to)), copy)
    for (const statement of afterCopy) await client.query(statement)
  })
  await client.query('vacuum (analyze) listings, listing_words, vocabulary, lexemes, bids')
  // Otherwise the inserted rows would be written to disk during the measurement.
  await client.query('checkpoint')
}

// The rows that search derives from a listing: see listing-words.repo.ts and bids.repo.ts in services/search, and
// keep_lexemes in its migrations.
const afterCopy = [
  `insert into listing_words (listing_id, words, ends_at)
   select id, setweight(to_tsvector('english', normalize(title)), 'A')
     || setweight(to_tsvector('english', normalize(description)), 'C'), auction_end_at
   from listings where not exists (select from listing_words where listing_id = id)`,
  `insert into lexemes
   select word from ts_stat('select words from listing_words') where word not like ' %' on conflict do nothing`,
  `insert into bids (listing_id, number, amount_cents)
   select id, (current_bid_cents is not null)::int, current_bid_cents from listings where is_auction on conflict do nothing`,
  `insert into vocabulary (word)
   select word from ts_stat('select to_tsvector(''simple'', normalize(title)) from listings') on conflict do nothing`,
]

function* lines(from: number, to: number): Generator<string> {
  const now = Date.now()
  for (let first = from; first < to; first += linesAtOnce) {
    const count = Math.min(linesAtOnce, to - first)
    yield Array.from({ length: count }, (_, place) => listingLine(first + place, now)).join('')
  }
}

// Indexes are dropped and recreated, and words inserted in bulk: twenty times as fast as row by row.
async function withoutIndexes(client: pg.Client, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('listings'::regclass, 'listing_words'::regclass) and not indisunique`,
  )
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await client.query('alter table listing_words disable trigger lexemes_of_words')
  await load()
  await client.query('alter table listing_words enable trigger lexemes_of_words')
  for (const { definition } of rows) await client.query(definition)
}
