import { deleteExpired } from '@marketplace/kit/db/delete-expired.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Trx } from '../db.ts'
import type { SearchTerm } from './search-term.ts'

/** The owner of a search history: a user, or the browser session of a signed-out visitor. */
export type Searcher = { userId: string } | { sessionId: string }

export interface Search {
  searcher: Searcher
  term: SearchTerm
  hasResults: boolean
  /** The client's IPv4 address or IPv6 network; null if the gateway sent no address. */
  network: string | null
}

/** Maximum number of terms per searcher. Older terms are deleted. */
export const maxHistory = 100

/**
 * Stores a search in the searcher's history and, if it has results, counts it for the trending terms. A term is counted
 * at most once per hour per searcher, and at most once per hour per network for signed-out searchers. In an hour, at
 * most `maxCounted` terms are counted for a user or network.
 */
export async function recordSearch(trx: Trx, search: Search, maxCounted: number): Promise<void> {
  const { searcher, term, hasResults, network } = search
  const userId = 'userId' in searcher ? searcher.userId : null
  const sessionId = 'sessionId' in searcher ? searcher.sessionId : null
  // Owner of the row in `address_counts`. Users need that row too, because `trimHistory` can delete their row in
  // `searches` within the hour.
  const countedBy = userId ?? network
  if (countedBy !== null && hasResults) await lockCounts(trx, countedBy)
  // Each upsert locks its row, so that concurrent searches for a term by a searcher or network are counted only once.
  await sql`
    with written as (
      insert into searches as stored (user_id, session_id, term_key, term, searched_at, counted_at)
      values (${userId}::uuid, ${sessionId}::text, ${term.key}, ${term.text}, statement_timestamp(),
        case when ${hasResults} then statement_timestamp() end)
      on conflict (user_id, session_id, term_key) do update set
        term = excluded.term,
        searched_at = greatest(stored.searched_at, excluded.searched_at),
        counted_at = case
          when excluded.counted_at - interval '1 hour' < stored.counted_at then stored.counted_at
          else coalesce(excluded.counted_at, stored.counted_at)
        end
      returning old.counted_at as counted_before, new.counted_at, new.term_key, new.term
    ), counted as (
      select term_key, term, counted_at from written where counted_at is distinct from counted_before
    ), first_in_hour as (
      insert into address_counts as stored (id, counted_by, counted_at)
      select hashtextextended(${countedBy}::text || ' ' || term_key, 0), ${hashOf(countedBy)}, counted_at from counted
      where ${countedBy}::text is not null and ${maxCounted} > (
        select count(*) from address_counts
        where counted_by = ${hashOf(countedBy)} and counted_at > statement_timestamp() - interval '1 hour'
      )
      on conflict (id) do update set counted_by = excluded.counted_by, counted_at = excluded.counted_at
        where stored.counted_at <= excluded.counted_at - interval '1 hour'
      returning id
    )
    insert into search_counts (term_key, term, counted_at)
    select term_key, term, counted_at from counted
    where ${countedBy}::text is null or exists (select from first_in_hour)`.execute(trx)
  await trimHistory(trx, searcher)
}

// Serializes the searches that a user or network counts, so that concurrent searches cannot exceed the limit. The next
// statement sees what the previous holder of the lock has written.
async function lockCounts(trx: Trx, countedBy: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('search.counts ' || ${countedBy}::text, 0))`.execute(trx)
}

/** Deletes the rows of `address_counts` that were written for the user's searches. */
export async function deleteCountsOf(trx: Trx, userId: string): Promise<void> {
  await sql`delete from address_counts where counted_by = ${hashOf(userId)}`.execute(trx)
}

function hashOf(userOrNetwork: string | null): RawBuilder<unknown> {
  return sql`hashtextextended(${userOrNetwork}::text, 0)`
}

async function trimHistory(trx: Trx, searcher: Searcher): Promise<void> {
  const isOwn = 'userId' in searcher ? sql`user_id = ${searcher.userId}::uuid` : sql`session_id = ${searcher.sessionId}`
  await sql`
    delete from searches where ctid = any(array(
      select ctid from searches where ${isOwn} order by searched_at desc offset ${maxHistory} for update skip locked
    ))`.execute(trx)
}

/**
 * Deletes a batch of the oldest searches by signed-out visitors, but keeps the newest `max`. Returns the number of
 * deleted rows.
 */
export async function deleteExcessSearches(db: Db, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from searches where ctid = any(array(
      select ctid from searches where session_id is not null and searched_at <= (
        select searched_at from searches where session_id is not null order by searched_at desc offset ${max} limit 1
      )
      order by searched_at limit ${maxDeleted} for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes a batch of rows in `address_counts` that are more than an hour old, and returns their number. A row is needed
 * for only one hour, to prevent a term from being counted twice for a user or network.
 */
export function deleteExpiredAddressCounts(db: Db): Promise<number> {
  return deleteExpired(db, { table: 'address_counts', time: 'counted_at', ageMs: 3_600_000, limit: maxDeleted })
}

/** Returns the searcher's distinct terms, newest first. */
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

const maxDeleted = 1000

/** Deletes a batch of searches that were last made more than `retentionMs` ago. Returns the number of deleted rows. */
export function deleteExpiredSearches(db: Db, retentionMs: number): Promise<number> {
  return deleteExpired(db, { table: 'searches', time: 'searched_at', ageMs: retentionMs, limit: maxDeleted })
}
