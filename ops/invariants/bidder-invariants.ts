import type { Invariant } from './invariant.ts'

// Default of the auction service's setting MAX_FIRST_PURCHASE_EXPOSURE_CENTS: the limit for the total of a first-time
// buyer's leading bids and unpaid wins.
export const defaultMaxExposureCents = 500_000

// Maximum time from the creation of a ban on bidding (a row in `auction.bars`) until its transaction has committed.
const barCommitsWithin = `interval '10 seconds'`

/**
 * Returns the invariants for strikes, suspensions and a first-time buyer's leading bids, whose total must not exceed
 * `maxExposureCents` (0 means no limit).
 */
export function bidderInvariants(maxExposureCents: number): readonly Invariant[] {
  return [
    {
      // A strike records that a buyer did not pay for a won auction. The query expects no strike if the buyer's account
      // was deleted, if the sale was released before strikes were introduced, or if it was released more than 360 days
      // ago (strikes are deleted after a year).
      name: 'a win released as unpaid has a strike, and no other sale has one',
      sql: `
        select format('sale %s is %s (%s), its strike is %s', coalesce(t.id, s.sale_id), t.state, t.reason, coalesce(s.struck_at::text, 'not there')) as message
        from (
          select t.id, t.state, t.reason, h.settled_at from payments.transactions t
          join auction.holds h on h.sale_id = t.id and h.sale_type = 'auction_win' and h.state = 'released'
          where {{listing:t.listing_id}} and t.state = 'released' and t.reason = 'unpaid'
            and h.settled_at > (select applied_at from auction.schema_migrations where name = 'service/0006_bounds_of_bids.sql')
            and not exists (select from users.accounts where id = t.buyer_id and provider = 'erased')
        ) t full join (select * from auction.strikes where {{sale:sale_id}}) s on s.sale_id = t.id
        where (s.sale_id is null and t.settled_at > now() - interval '360 days') or t.id is null`,
    },
    {
      name: 'the leading bids of a person without a completed purchase are within the exposure limit',
      sql: `
        select format('%s leads auctions for %s cents in all; the limit is %s', l.user_id, sum(l.total_cents), ${maxExposureCents}) as message
        from auction.first_purchase_leads l
        join auction.auctions a on a.listing_id = l.listing_id and a.leader_id = l.user_id and a.state <> 'closed'
        where ${maxExposureCents} > 0
          and l.user_id in (select c.user_id from auction.first_purchase_leads c where {{listing:c.listing_id}})
          and not exists (select from auction.known_buyers k where k.user_id = l.user_id)
        group by l.user_id having sum(l.total_cents) > ${maxExposureCents}`,
    },
    {
      name: 'no person bids while suspended',
      sql: `
        select format('auction %s: bid %s of %s was placed at %s, barred from %s to %s',
          b.listing_id, b.number, b.bidder_id, b.placed_at, bar.created_at, bar.until) as message
        from auction.bars bar
        join auction.bids b on b.bidder_id = bar.bidder_id
          and b.placed_at > bar.created_at + ${barCommitsWithin} and (bar.until is null or b.placed_at < bar.until)
        join auction.auctions a on a.listing_id = b.listing_id
          and bar.seller_id in ('00000000-0000-0000-0000-000000000000', a.seller_id)
        where {{listing:b.listing_id}}`,
    },
  ]
}
