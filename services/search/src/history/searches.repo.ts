import { sql } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { SearchTerm } from './search-term.ts'

/** Whose search it is: a user's, or, signed out, a browser session's. */
export type Searcher = { userId: string } | { sessionId: string }

export interface Search {
  searcher: Searcher
  term: SearchTerm
  hasFound: boolean
}

/** Remembers a search, and counts it for trending when it has a result and is the searcher's first of the term in an hour. */
export async function keepSearch(trx: Trx, { searcher, term, hasFound }: Search): Promise<void> {
  const userId = 'userId' in searcher ? searcher.userId : null
  const sessionId = 'sessionId' in searcher ? searcher.sessionId : null
  // A second search of the same term at once waits here for the first and sees its count.
  await sql`
    with kept as (
      insert into searches as known (user_id, session_id, term_key, term, searched_at, counted_at)
      values (${userId}::uuid, ${sessionId}::text, ${term.key}, ${term.text}, statement_timestamp(),
        case when ${hasFound} then statement_timestamp() end)
      on conflict (user_id, session_id, term_key) do update set
        term = excluded.term,
        searched_at = greatest(known.searched_at, excluded.searched_at),
        counted_at = case
          when excluded.counted_at - interval '1 hour' < known.counted_at then known.counted_at
          else coalesce(excluded.counted_at, known.counted_at)
        end
      returning old.counted_at as counted_before, new.counted_at, new.term_key, new.term
    )
    insert into search_counts (term_key, term, counted_at)
    select term_key, term, counted_at from kept where counted_at is distinct from counted_before`.execute(trx)
}

/** A searcher's newest different terms, newest first. */
export async function readHistory(db: Db, searcher: Searcher, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('searches')
    .select('term')
    .where((is) =>
      'userId' in searcher ? is('user_id', '=', searcher.userId) : is('session_id', '=', searcher.sessionId),
    )
    .orderBy('searched_at', 'desc')
    .orderBy('term_key')
    .limit(limit)
    .execute()
  return rows.map(({ term }) => term)
}

const maxForgotten = 1000

/** Forgets some searches that were not repeated for so long; answers how many. */
export async function forgetOldSearches(db: Db, keepMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from searches where ctid = any(array(
      select ctid from searches where searched_at < statement_timestamp() - make_interval(secs => ${keepMs / 1000})
      order by searched_at limit ${maxForgotten} for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
