import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@marketplace/stack/launcher/stack.ts'
import { connect } from '../harness/stack.ts'

const consumers = { catalog: 'auction-news', search: 'listing-index' } as const
export type Consumer = keyof typeof consumers
export const consumerNames = ['catalog', 'search'] as const

const bidPlaced = `type = 'marketplace.auction.v1.BidPlaced'`

/** Waits until the inboxes of catalog and search contain the event of every bid. */
export async function allApplied({ adminUrl }: Stack): Promise<void> {
  const client = await connect(adminUrl, 'auction')
  for (const reader of consumerNames) {
    for (let left = 1; left > 0; await sleep(100)) {
      const { rows } = await client.query<{ left: number }>(
        `select count(*)::int as left from outbox where ${bidPlaced}
           and not exists (select from ${reader}.inbox where consumer = $1 and event_id = outbox.id)`,
        [consumers[reader]],
      )
      left = rows[0]?.left ?? 0
    }
  }
  await client.end()
}

/** Returns the events per second of a consumer, from the relay's first publish to the consumer's last commit. */
export async function drainRate({ adminUrl }: Stack, reader: Consumer, since: number): Promise<number> {
  const client = await connect(adminUrl, 'auction')
  const { rows } = await client.query<{ rate: number }>(
    `select count(*) / extract(epoch from max(pg_xact_commit_timestamp(inbox.xmin)) - min(published_at))::float8 as rate
     from outbox join ${reader}.inbox on event_id = outbox.id and consumer = $1 where ${bidPlaced} and seq > $2`,
    [consumers[reader], since],
  )
  await client.end()
  return rows[0]?.rate ?? Number.NaN
}

/** Returns the milliseconds from each bid's commit to the commit of the consumer that applied it. */
export async function delays({ adminUrl }: Stack, reader: Consumer, since: number): Promise<number[]> {
  const client = await connect(adminUrl, 'auction')
  const { rows } = await client.query<{ ms: number }>(
    `select 1000 * extract(epoch from pg_xact_commit_timestamp(inbox.xmin) - pg_xact_commit_timestamp(bids.xmin))::float8 as ms
     from outbox join bids on bids.id = (payload ->> 'bidId')::uuid
       join ${reader}.inbox on event_id = outbox.id and consumer = $1 where ${bidPlaced} and seq > $2`,
    [consumers[reader], since],
  )
  await client.end()
  return rows.map(({ ms }) => ms)
}

/** Returns the highest sequence number of auction's outbox. */
export async function lastOfOutbox({ adminUrl }: Stack): Promise<number> {
  const client = await connect(adminUrl, 'auction')
  const { rows } = await client.query<{ seq: string }>('select coalesce(max(seq), 0) as seq from outbox')
  await client.end()
  return Number(rows[0]?.seq)
}
