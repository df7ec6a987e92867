import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { searchTerm } from '../history/search-term.ts'

/**
 * Returns those of the given terms whose words all occur in one active listing. The last word of a term can be a
 * prefix.
 */
export async function readMatching(db: Db, terms: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ term: string }>`
    select term from unnest(${[...terms]}::text[]) as term
    cross join lateral (select plainto_tsquery('english', normalize(term)) as query) as words
    where numnode(query) > 0 and exists (
      select from listing_words
      where words @@ (query::text || ':*')::tsquery and (ends_at is null or ends_at > statement_timestamp())
    )`.execute(db)
  return new Set(rows.map(({ term }) => term))
}

/** Maximum number of blocked terms. It is limited, because every trending term is compared with every blocked term. */
export const maxBlocked = 1000

export async function readBlockedKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ term_key: string }>`
    select term_key from blocked_terms order by blocked_at desc limit ${maxBlocked}`.execute(db)
  return rows.map((row) => row.term_key)
}

/**
 * Blocks a trending search term, or allows it again. Returns the normalized term in lower case, under which the block
 * is stored. Returns null, without blocking the term, if `maxBlocked` other terms are blocked.
 */
export async function setBlocked(db: Db, term: string, isBlocked: boolean): Promise<string | null> {
  const { key } = searchTerm(term)
  if (!isBlocked) {
    await sql`delete from blocked_terms where term_key = ${key}`.execute(db)
    return key
  }
  const { numAffectedRows } = await sql`
    insert into blocked_terms (term_key)
    select ${key}::text where (select count(*) from blocked_terms where term_key <> ${key}) < ${maxBlocked}
    on conflict (term_key) do update set blocked_at = excluded.blocked_at`.execute(db)
  return numAffectedRows ? key : null
}
