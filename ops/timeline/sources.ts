import { schemas } from '@marketplace/contracts/services.ts'

/** A SQL query that returns rows `at, service, what` about the listing with the id $1. */
type Source = string

const dollars = (cents: string) => `'$' || to_char(${cents} / 100.0, 'FM999,999,990.00')`

const listing: readonly Source[] = [
  `select created_at, 'catalog', format('listed by %s: “%s”, %s', seller_id, title,
     case when is_auction then 'auction from ' || ${dollars('starting_bid_cents')} else ${dollars('price_cents')} end)
   from catalog.listings where id = $1::uuid`,
  `select created_at, 'catalog', format('offer %s of %s by the %s, buyer %s', id, ${dollars('amount_cents')}, made_by, buyer_id)
   from catalog.offers where listing_id = $1::uuid`,
  `select updated_at, 'catalog', format('offer %s is %s', id, status)
   from catalog.offers where listing_id = $1::uuid and status <> 'pending'`,
  `select added_at, 'catalog', format('watched by %s', user_id) from catalog.watchlist where listing_id = $1::uuid`,
]

const auction: readonly Source[] = [
  `select opened_at, 'auction', format('opened, ends %s', to_char(end_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
   from auction.auctions where listing_id = $1::uuid`,
  `select placed_at, 'auction', format('bid %s of %s by %s (%s)', number, ${dollars('amount')}, bidder_id, masked_bidder)
   from auction.bids where listing_id = $1::uuid`,
  `select closed_at, 'auction', format('closed: %s%s', outcome, coalesce(', leader ' || leader_id, ''))
   from auction.auctions where listing_id = $1::uuid and closed_at is not null`,
]

const holds: readonly Source[] = [
  `select created_at, 'catalog', format('held for sale %s, buyer %s', sale_id, buyer_id)
   from catalog.holds where listing_id = $1::uuid and buyer_id is not null`,
  `select settled_at, 'catalog', format('hold of sale %s is %s', sale_id, state)
   from catalog.holds where listing_id = $1::uuid and settled_at is not null`,
  `select held_at, 'auction', format('held for sale %s (%s), buyer %s, %s', sale_id, sale_type, buyer_id, ${dollars('price')})
   from auction.holds where listing_id = $1::uuid`,
  `select settled_at, 'auction', format('hold of sale %s is %s', sale_id, state)
   from auction.holds where listing_id = $1::uuid and settled_at is not null`,
]

const payments: readonly Source[] = [
  `select created_at, 'payments', format('sale %s begun: %s, buyer %s', id, transaction_type, buyer_id)
   from payments.transactions where listing_id = $1::uuid`,
  `select updated_at, 'payments', format('sale %s is %s%s%s%s', id, state, coalesce(' of ' || ${dollars('amount')}, ''),
     coalesce(', ' || reason, ''), coalesce(', provider ' || intent_id, ''))
   from payments.transactions where listing_id = $1::uuid`,
  `select j.recorded_at, 'payments', format('ledger: %s of sale %s: %s', j.kind, j.sale_id, string_agg(
     format('%s %s', e.account, case when e.amount < 0 then '−' else '+' end || ${dollars('abs(e.amount)')}), ', ' order by e.line))
   from payments.journals j join payments.transactions t on t.id = j.sale_id join payments.entries e on e.journal_id = j.id
   where t.listing_id = $1::uuid group by j.id`,
  `select w.received_at, 'payments', format('webhook %s: %s%s', w.id, w.type, case when w.processed_at is null then ', not processed' else '' end)
   from payments.webhook_events w join payments.transactions t using (intent_id) where t.listing_id = $1::uuid`,
]

const copies: readonly Source[] = [
  `select c.created_at, 'messaging', format('conversation %s with buyer %s, %s messages', c.id, c.buyer_id,
     (select count(*) from messaging.messages m where m.conversation_id = c.id))
   from messaging.conversations c where listing_id = $1::uuid`,
  `select told_at, 'search', format('index has version %s, %s', version, case when is_active then 'active' else 'inactive' end)
   from search.listings where id = $1::uuid`,
  `select told_at, 'search', format('index has bid %s', number) from search.bids where listing_id = $1::uuid and number > 0`,
]

// Queries of each schema's inbox, which shows when each consumer received an event.
const inboxes = schemas.map(
  (schema) => `select '${schema}.' || consumer as consumer, event_id, received_at from ${schema}.inbox`,
)

const consumers = `(select string_agg(format('%s after %s ms', consumer,
    greatest(0, round(extract(epoch from received_at - o.occurred_at) * 1000))), ', ' order by received_at)
  from (${inboxes.join(' union all ')}) i where i.event_id = o.id)`

const events: readonly Source[] = schemas.flatMap((schema) => [
  `select occurred_at, '${schema}', format('event %s %s (%s)%s', split_part(type, '.', 4), version,
     case when published_at is null then 'not published' else 'published after '
       || greatest(0, round(extract(epoch from published_at - occurred_at) * 1000)) || ' ms' end,
     coalesce(': ' || ${consumers}, ''))
   from ${schema}.outbox o where key = ($1::uuid)::text`,
  `select parked_at, '${schema}', format('PARKED by %s: %s', consumer, split_part(error, E'\\n', 1))
   from ${schema}.parked where event ->> 'key' = ($1::uuid)::text`,
])

/**
 * Query for all timeline entries of one listing, ordered by time. Entries with the same time are sorted so that a cause
 * precedes its effect.
 */
export const timelineQuery = `
  select at, service, what from (
    ${[...listing, ...auction, ...holds, ...payments, ...copies, ...events]
      .map((source, rank) => `select ${rank} as rank, s.* from (${source}) as s (at, service, what)`)
      .join('\n    union all\n    ')}
  ) life order by at, rank`
