import type { Invariant } from './invariant.ts'

// Maximum time from the `changed_at` of a block between two members until the messaging service rejects their messages.
const copyCommitsWithin = `interval '10 seconds'`

/** Invariants for blocks between members and for the reply times of sellers. */
export const blockInvariants: readonly Invariant[] = [
  {
    name: 'messaging, catalog and auction have the same blocks as users',
    sql: `
      with expected as (
        select service, blocker_id, blocked_id from users.blocks, unnest(array['messaging', 'catalog', 'auction']) as service
      ), known as (
        select 'messaging' as service, blocker_id, blocked_id from messaging.blocks where is_blocked
        union all select 'catalog', blocker_id, blocked_id from catalog.blocks where is_blocked
        union all select 'auction', seller_id, bidder_id from auction.bars where reason = 'blocked' and until is null
      )
      select format('%s has not stored that %s blocks %s', service, blocker_id, blocked_id) as message
      from (select * from expected except select * from known) as unknown
      union all
      select format('%s has stored that %s blocks %s, but the block has ended', service, blocker_id, blocked_id)
      from (select * from known except select * from expected) as ended`,
  },
  {
    name: 'no offer is pending between a buyer and a seller who has blocked the buyer',
    sql: `
      select format('offer %s on listing %s is pending although %s blocks %s', o.id, o.listing_id, o.seller_id, o.buyer_id) as message
      from catalog.offers o
      join catalog.blocks b on b.blocker_id = o.seller_id and b.blocked_id = o.buyer_id and b.is_blocked
      where {{listing:o.listing_id}} and o.status = 'pending'`,
  },
  {
    name: 'members do not message each other after a block, except about a paid item',
    sql: `
      select format('message %s was sent at %s, but %s blocks %s since %s', m.id, m.created_at, b.blocker_id, b.blocked_id, b.changed_at) as message
      from messaging.blocks b
      join messaging.conversations c on (c.buyer_id, c.seller_id) in ((b.blocker_id, b.blocked_id), (b.blocked_id, b.blocker_id))
      join messaging.messages m on m.conversation_id = c.id and m.created_at > b.changed_at + ${copyCommitsWithin}
      where {{listing:c.listing_id}} and b.is_blocked
        and not exists (select from payments.transactions t where t.listing_id = c.listing_id and t.buyer_id = c.buyer_id and t.state in ('paid', 'refunding', 'refunded'))`,
  },
  {
    name: 'the time of a reply is that of a message of the seller',
    sql: `
      select format('conversation %s: the message received at %s has a reply at %s, when the seller sent none', r.conversation_id, r.received_at, r.replied_at) as message
      from messaging.replies r
      join messaging.conversations c on c.id = r.conversation_id
      where {{listing:c.listing_id}} and r.replied_at is not null and not exists (
        select from messaging.messages m
        where m.conversation_id = r.conversation_id and m.sender_id = r.seller_id and m.created_at = r.replied_at)`,
  },
]
