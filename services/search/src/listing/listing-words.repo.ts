import { sql } from 'kysely'
import type { NewListingRow, Trx } from '../db.ts'

export async function deleteWords(trx: Trx, listingIds: readonly string[]): Promise<void> {
  if (listingIds.length === 0) return
  await sql`delete from listing_words where listing_id = any(${listingIds}::uuid[])`.execute(trx)
}

/** Stores the searchable words of listings and adds the words of their titles to the vocabulary for fuzzy matching. */
export async function upsertWords(trx: Trx, rows: readonly NewListingRow[]): Promise<void> {
  if (rows.length === 0) return
  const titles = rows.map(({ title }) => title)
  const given = sql`(
    select id, setweight(to_tsvector('english', normalize(title)), 'A')
      || setweight(to_tsvector('english', normalize(description)), 'C') as words, ends_at
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${titles}::text[], ${rows.map(({ description }) => description)}::text[],
      ${rows.map(({ auction_end_at }) => auction_end_at)}::timestamptz[]
    ) as listed (id, title, description, ends_at)
  ) as given`
  // Inserts all new words in alphabetical order. Otherwise, the trigger on `listing_words` would insert them listing by
  // listing, and concurrent transactions with the same new words would often deadlock.
  await sql`
    insert into lexemes (lexeme)
    select distinct word from ${given}, unnest(tsvector_to_array(words)) as word
    where not exists (select from lexemes where lexeme = word)
    order by word
    on conflict do nothing`.execute(trx)
  await sql`
    insert into listing_words (listing_id, words, ends_at)
    select id, words, ends_at from ${given} order by id
    on conflict (listing_id) do update set words = excluded.words, ends_at = excluded.ends_at`.execute(trx)
  await sql`
    insert into vocabulary (word)
    select distinct lexeme from unnest(${titles}::text[]) as title, unnest(to_tsvector('simple', normalize(title)))
    where not exists (select from vocabulary where word = lexeme)
    order by lexeme
    on conflict do nothing`.execute(trx)
}
