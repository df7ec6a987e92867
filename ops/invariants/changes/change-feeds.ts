import type pg from 'pg'

/** Maximum number of events that one check reads from each outbox. */
export const maxEvents = 500

/**
 * Maximum number of ledger journals that one check reads. The number is low, because checking a journal's sale takes
 * three calls to the card provider.
 */
export const maxSales = 100

// Minimum age of a row, in seconds, before it is read, so that no row with a lower id can commit after the read.
const commitSeconds = 60

interface Feed {
  name: string
  limit: number
  /**
   * Selects `position`, `listing_id` and `sale_id` of the first $2 changes after the position $1, ordered by position.
   */
  sql: string
  /** Selects the position of the newest row. */
  newest: string
}

const isOld = (column: string) => `${column} < clock_timestamp() - interval '${commitSeconds} seconds'`

const outboxOf = (schema: string): Feed => ({
  name: `${schema}.outbox`,
  limit: maxEvents,
  sql: `select seq::text as position, key as listing_id, null as sale_id from ${schema}.outbox
    where seq > $1::bigint and ${isOld('occurred_at')} order by seq limit $2`,
  newest: `select coalesce(max(seq), 0)::text as position from ${schema}.outbox`,
})

// Each movement of a sale's money adds a journal (a group of entries) to the ledger. Journal ids increase with time, so
// the id is the position in this feed.
const journals: Feed = {
  name: 'payments.journals',
  limit: maxSales,
  sql: `select j.id::text as position, t.listing_id::text, t.id::text as sale_id
    from payments.journals j join payments.transactions t on t.id = j.sale_id
    where j.id > $1::uuid and ${isOld('j.recorded_at')} order by j.id limit $2`,
  newest: `select coalesce(
      (select id from payments.journals order by id desc limit 1), '00000000-0000-0000-0000-000000000000'
    )::text as position`,
}

const feeds: readonly Feed[] = [outboxOf('catalog'), outboxOf('auction'), outboxOf('payments'), journals]

export type Positions = Readonly<Record<string, string>>

export interface Changes {
  listingIds: string[]
  saleIds: string[]
  /** Maps each table's name to the position of the last row that was read. The next read continues after that row. */
  positions: Positions
  /** True if a table might have more changes than were read. */
  isBehind: boolean
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Reads the rows that were added after `positions`: at most `maxEvents` events from each outbox and `maxSales` journals
 * from the ledger. For a table without a position, reading starts after its newest row, so its existing rows are
 * skipped.
 */
export async function readChanges(client: pg.Client, positions: Positions): Promise<Changes> {
  const next: Record<string, string> = {}
  const [listingIds, saleIds] = [new Set<string>(), new Set<string>()]
  let isBehind = false
  for (const { name, limit, sql, newest } of feeds) {
    const from = positions[name] ?? (await client.query<{ position: string }>(newest)).rows[0]?.position ?? '0'
    const { rows } = await client.query<{ position: string; listing_id: string; sale_id: string | null }>(sql, [
      from,
      limit,
    ])
    for (const { listing_id: listingId, sale_id: saleId } of rows) {
      // Skips events whose key is not a UUID, because the checks cast the listing ids to `uuid[]`.
      if (uuid.test(listingId)) listingIds.add(listingId)
      if (saleId !== null) saleIds.add(saleId)
    }
    next[name] = rows.at(-1)?.position ?? from
    isBehind ||= rows.length === limit
  }
  return { listingIds: [...listingIds], saleIds: [...saleIds], positions: next, isBehind }
}
