import type { Invariant } from './invariant.ts'

// How long an auction can stay open after its end without being reported. The auction service normally closes it within
// 250 ms, or within about one second if bids keep its row locked.
const closeWithin = `interval '3 seconds'`

const bidsInOrder = `
  select b.*, a.starting_bid, a.end_at, a.closed_at,
    lag(b.amount) over in_order as amount_before, lag(b.placed_at) over in_order as placed_before
  from auction.bids b join auction.auctions a using (listing_id)
  where {{listing:b.listing_id}}
  window in_order as (partition by b.listing_id order by b.number)`

export const auctionInvariants: readonly Invariant[] = [
  {
    // This check replaces a foreign key from bids to auctions, which the database does not have (ADR-0013).
    name: 'each bid is on an auction',
    sql: `
      select format('bid %s is on %s, which is not an auction', id, listing_id) as message
      from auction.bids b
      where {{listing:b.listing_id}} and not exists (select from auction.auctions a where a.listing_id = b.listing_id)`,
  },
  {
    name: 'accepted bids strictly increase, so that no current bid goes down',
    sql: `
      select format('auction %s: bid %s of %s follows %s', listing_id, number, amount, coalesce(amount_before, starting_bid)) as message
      from (${bidsInOrder}) b where amount <= coalesce(amount_before, starting_bid)`,
  },
  {
    name: 'one bid is winning, the newest and highest',
    sql: `
      select format('auction %s has %s bids up to %s but shows %s bids and %s', a.listing_id, n, highest, a.bid_count, a.current_bid) as message
      from auction.auctions a
      left join lateral (
        select id, bidder_id from auction.bids where listing_id = a.listing_id order by number desc limit 1
      ) newest on true
      cross join lateral (select count(*) as n, max(amount) as highest from auction.bids where listing_id = a.listing_id) c
      where {{listing:a.listing_id}} and (a.leading_bid_id, a.leader_id, a.current_bid, a.bid_count) is distinct from (newest.id, newest.bidder_id, highest, n)`,
  },
  {
    name: 'nothing is accepted after the end',
    sql: `
      select format('auction %s: bid %s was placed at %s, the end was at %s', listing_id, number, placed_at, least(end_at, closed_at)) as message
      from (${bidsInOrder}) b where placed_at >= end_at or placed_at > closed_at`,
  },
  {
    // A bid's time must not be `now()`, because a bid that waited for the row lock would get the time before the wait.
    name: 'bids are timed by the database’s clock, read after the lock',
    sql: `
      select format('auction %s: bid %s of %s follows one of %s; its event is of %s', listing_id, number, placed_at, placed_before, occurred_at) as message
      from (${bidsInOrder}) b
      left join auction.outbox on {{no-rows:outbox}} and payload ->> 'bidId' = b.id::text
      where placed_at < placed_before or placed_at > occurred_at`,
  },
  {
    name: 'an auction that is over is closed, once',
    sql: `
      select format('auction %s ended at %s and is %s, with %s closing events', listing_id, end_at, state, coalesce(closings, 0)) as message
      from auction.auctions a
      left join (
        select key, count(*) as closings from auction.outbox where type like '%.AuctionClosed' group by key
      ) o on o.key = a.listing_id::text
      where case when state = 'closed' then closings is distinct from 1 and closed_at > now() - interval '6 days'
        else closings > 0 or end_at < clock_timestamp() - ${closeWithin} end`,
  },
  {
    name: 'an ended auction with bids has one win or one paid buy-now, without bids no win',
    sql: `
      select format('auction %s (%s, %s, %s bids) has %s wins, %s of them the leader’s, and %s paid by buy now',
        listing_id, state, outcome, bid_count, wins, right_wins, bought) as message
      from auction.auctions a
      cross join lateral (
        select count(*) filter (where transaction_type = 'auction_win') as wins,
          count(*) filter (
            where transaction_type = 'auction_win' and buyer_id = a.leader_id and sale_price = a.current_bid
          ) as right_wins,
          count(*) filter (where transaction_type = 'buy_now' and (t.state = 'paid' or t.state in ('refunding', 'refunded')
            and exists (select from auction.holds h where h.sale_id = t.id and h.state = 'sold'))) as bought
        from payments.transactions t where t.listing_id = a.listing_id
      ) sold
      where {{listing:a.listing_id}} and case when a.state <> 'closed' then wins > 0
        when outcome = 'buy_now' then (wins, bought) <> (0, 1)
        when bid_count > 0 then (outcome, wins, right_wins, bought) <> ('won', 1, 1, 0)
        else (outcome, wins, bought) <> ('no_sale', 0, 0) end`,
  },
]
