import { sql } from 'kysely'
import type { Db, ShownListing } from '../db.ts'
import { laterViews, shown } from '../browse/selection.repo.ts'

const maxWords = 4
// Words that occur in more listings than this are ignored. Common words say little about an item, and reading their
// listings is slow.
const maxListingsOfWord = 2000
const maxRead = 200
export const maxSimilar = 12

/**
 * Returns the ids of active listings in the given listing's category, or null if the given listing is unknown. Listings
 * that contain more of the given listing's rarest title words come first, then newer listings.
 */
export async function findSimilar(db: Db, id: string): Promise<string[] | null> {
  const { rows } = await sql<{ similar: string[] }>`
    with listing as materialized (
      select title, category_slug from listings where id = ${id}
    ), words as materialized (
      select word from (
        select word, estimated_matches(word) as matching
        from listing, unnest(tsvector_to_array(to_tsvector('english', normalize(title)))) as lexeme,
          lateral (select plainto_tsquery('simple', lexeme) as word) as quoted
        where numnode(word) = 1
      ) as estimated
      where matching <= ${maxListingsOfWord} order by matching, word limit ${maxWords}
    ), shared as (
      select matching.listing_id, count(*) as words, max(listed_at) as listed_at
      from listing, words, lateral (
        select listing_id, listed_at from listing_words
        where listing_words.words @@ (word && array_to_tsvector(array[' category ' || listing.category_slug])::text::tsquery)
          and listing_id <> ${id} and (ends_at is null or ends_at > statement_timestamp())
        order by listed_at desc, listing_id desc limit ${maxRead}
      ) as matching
      group by matching.listing_id
    ), newest as (
      select latest.id as listing_id, 0 as words, latest.created_at as listed_at
      from listing, lateral (
        select id, created_at from listings
        where is_active and category_slug = listing.category_slug and id <> ${id}
          and (auction_end_at is null or auction_end_at > statement_timestamp())
        order by created_at desc, id desc limit ${maxSimilar}
      ) as latest
    ), chosen as (
      select listing_id, max(words) as words, max(listed_at) as listed_at
      from (
        select listing_id, words, listed_at from shared union all select listing_id, words, listed_at from newest
      ) as candidates
      group by listing_id order by words desc, listed_at desc, listing_id desc limit ${maxSimilar}
    )
    select array(select listing_id from chosen order by words desc, listed_at desc, listing_id desc) as similar
    from listing`.execute(db)
  return rows[0]?.similar ?? null
}

/** Reads the active listings among the given ones, in the same order. */
export async function readActive(db: Db, ids: readonly string[]): Promise<ShownListing[]> {
  const { rows } = await sql<ShownListing>`
    select ${shown}, ${laterViews} from unnest(${[...ids]}::uuid[]) with ordinality as given (listing_id, place)
    join listings on id = listing_id
    where is_active and (auction_end_at is null or auction_end_at > statement_timestamp())
    order by place`.execute(db)
  return rows
}
