import type { Invariant } from './invariant.ts'

const lost = 'no acknowledged write is lost'

// $1 is the journal of a load test as JSON, with one row per response that the load test received. Each query compares
// these rows with the tables of the service that sent the responses.
const journal = `json_to_recordset($1::json) as j (
  kind text, id text, "listingId" text, amount int, price int, "intentId" text, "conversationId" text, "senderId" text,
  "readerId" text, text text, count int, "startedAt" float8, "endedAt" float8
)`

/** Invariants that compare a load test's journal with the database. Each acknowledged write must be stored. */
export const journalInvariants: readonly Invariant[] = [
  {
    name: lost,
    sql: `
      select format('listing %s at %s, now %s', j.id, j.price, coalesce(l.price_cents::text, 'gone')) as message
      from ${journal} left join catalog.listings l on l.id::text = j.id
      where j.kind = 'listing' and (l.id is null or l.price_cents is distinct from coalesce(j.price, l.price_cents))
      union all
      select format('bid %s of %s on %s', j.id, j.amount, j."listingId")
      from ${journal} left join auction.bids b on (b.id::text, b.listing_id::text, b.amount) = (j.id, j."listingId", j.amount)
      where j.kind = 'bid' and b.id is null
      union all
      select format('offer %s of %s on %s', j.id, j.amount, j."listingId")
      from ${journal} left join catalog.offers o on (o.id::text, o.listing_id::text, o.amount_cents) = (j.id, j."listingId", j.amount)
      where j.kind = 'offer' and o.id is null
      union all
      select format('message “%s” in %s', j.text, j."conversationId")
      from ${journal} left join messaging.messages m
        on (m.conversation_id::text, m.sender_id::text, m.message_text) = (j."conversationId", j."senderId", j.text)
      where j.kind = 'message' and m.id is null`,
  },
  {
    // Each payment intent whose client secret was sent to a client must be stored with its sale, because the client can
    // pay this intent.
    name: 'an intent whose secret was sent is stored with its sale',
    sql: `
      select format('intent %s of %s for listing %s: sale %s is %s at %s', j."intentId", j.amount, j."listingId", t.id, t.state, t.amount) as message
      from ${journal} left join payments.transactions t on t.intent_id = j."intentId"
      where j.kind = 'intent' and (t.id is null or t.amount <> j.amount or t.listing_id::text <> j."listingId"
        or t.state in ('new', 'held'))`,
  },
  {
    name: lost,
    sql: `
      select format('%s: sale %s of intent %s is %s', j.kind, t.id, j."intentId", t.state) as message
      from ${journal} left join payments.transactions t on t.intent_id = j."intentId"
      where j.kind = 'paid' and (t.id is null or t.state not in ('paid', 'refunding', 'refunded'))
        or j.kind = 'cancelled' and (t.id is null or t.state not in ('released', 'refunding', 'refunded'))`,
  },
  {
    name: 'unread_count = unread messages',
    sql: `
      select format('%s has %s unread messages in %s, but was shown %s', j."readerId", n, j."conversationId", j.count) as message
      from ${journal}
      cross join lateral (
        select count(*) as n from messaging.messages
        where conversation_id::text = j."conversationId" and sender_id::text <> j."readerId" and read_at is null
      ) m
      where j.kind = 'unread' and n <> j.count
      union all
      select format('“%s” is marked as read, but was written after that', m.text)
      from ${journal.replaceAll(' j (', ' m (')}
      join messaging.messages s on (s.conversation_id::text, s.message_text) = (m."conversationId", m.text)
      where m.kind = 'message' and s.read_at is not null and not exists (
        select from ${journal} where j.kind = 'mark-read' and j."conversationId" = m."conversationId"
          and j."readerId" <> m."senderId" and j."endedAt" >= m."startedAt"
      )`,
  },
]
