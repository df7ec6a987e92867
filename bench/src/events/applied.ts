import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/dev/stack.ts'
import { connect } from '../frame/stack.ts'

const readers = { catalog: 'auction-news', search: 'listing-index' } as const
export type Reader = keyof typeof readers
export const readerNames = ['catalog', 'search'] as const

const bidPlaced = `type = 'marketplace.auction.v1.BidPlaced'`

/** Waits until every bid's event of the outbox is in the inboxes of catalog and search. */
export async function allApplied({ adminUrl }: Stack): Promise<void> {
  const client = await connect(adminUrl, 'auction')
  for (const reader of readerNames) {
    for (let left = 1; left > 0; await sleep(100)) {
      const { rows } = await client.query<{ left: number }>(
        `select count(*)::int as left from outbox where ${bidPlaced}
           and not exists (select from ${reader}.inbox where consumer = $1 and event_id = outbox.id)`,
        [readers[reader]],
      )
      left = rows[0]?.left ?? 0
    }
  }
  await client.end()
}

/** Events a second that a reader committed, from the relay's first sending to the reader's last commit. */
export async function drainRate({ adminUrl }: Stack, reader: Reader, since: number): Promise<number> {
  const client = await connect(adminUrl, 'auction')
  const { rows } = await client.query<{ rate: number }>(
    `select count(*) / extract(epoch from max(pg_xact_commit_timestamp(inbox.xmin)) - min(published_at))::float8 as rate
     from outbox join ${reader}.inbox on event_id = outbox.id and consumer = $1 where ${bidPlaced} and seq > $2`,
    [readers[reader], since],
  )
  await client.end()
  return rows[0]?.rate ?? Number.NaN
}

/** Milliseconds from the commit of each bid to the reader's commit that applied it. */
export async function delays({ adminUrl }: Stack, reader: Reader, since: number): Promise<number[]> {
  const client = await connect(adminUrl, 'auction')
  const { rows } = await client.query<{ ms: number }>(
    `select 1000 * extract(epoch from pg_xact_commit_timestamp(inbox.xmin) - pg_xact_commit_timestamp(bids.xmin))::float8 as ms
     from outbox join bids on bids.id = (payload ->> 'bidId')::uuid
       join ${reader}.inbox on event_id = outbox.id and consumer = $1 where ${bidPlaced} and seq > $2`,
    [readers[reader], since],
  )
  await client.end()
  return rows.map(({ ms }) => ms)
}

/** Where the outbox ends. */
export async function lastOfOutbox({ adminUrl }: Stack): Promise<number> {
  const client = await connect(adminUrl, 'auction')
  const { rows } = await client.query<{ seq: string }>('select coalesce(max(seq), 0) as seq from outbox')
  await client.end()
  return Number(rows[0]?.seq)
}
