import type { Invariant } from './invariant.ts'

const holds = `
  select 'catalog'::text as owner, sale_id, listing_id, buyer_id, price_cents as price, state from catalog.holds
  union all select 'auction'::text, sale_id, listing_id, buyer_id, price, state from auction.holds`

const live = `('held', 'payable', 'releasing')`

export const saleInvariants: readonly Invariant[] = [
  {
    name: 'at most one live or completed sale per listing',
    sql: `
      select format('listing %s has the sales %s', listing_id, array_agg(id || ' ' || state)) as message
      from payments.transactions where {{listing:listing_id}} and state in ('held', 'payable', 'releasing', 'paid')
      group by listing_id having count(*) > 1`,
  },
  {
    name: 'at most one hold per listing',
    sql: `
      select format('listing %s is held by the sales %s', listing_id, array_agg(sale_id || ' ' || state)) as message
      from (${holds}) h where {{listing:listing_id}} and state in ('held', 'sold')
      group by listing_id having count(*) > 1`,
  },
  {
    name: 'each hold has its sale',
    sql: `
      select format('%s holds listing %s as %s for sale %s at %s, whose state is %s at %s',
        h.owner, h.listing_id, h.state, h.sale_id, h.price, t.state, t.sale_price) as message
      from (${holds}) h left join payments.transactions t on t.id = h.sale_id
      where {{listing:h.listing_id}} and h.state in ('held', 'sold') and (
        (h.owner, h.listing_id, h.buyer_id, h.price) is distinct from (t.owner, t.listing_id, t.buyer_id, t.sale_price)
        or case h.state when 'sold' then t.state not in ('paid', 'refunding', 'refunded') else t.state not in ${live} end
      )`,
  },
  {
    name: 'each live or completed sale has its hold',
    sql: `
      select format('sale %s of listing %s is %s, but its hold in %s is %s', t.id, t.listing_id, t.state, t.owner, coalesce(h.state, 'not held')) as message
      from payments.transactions t
      left join lateral (
        select state from (${holds}) h where (h.sale_id, h.owner, h.listing_id) = (t.id, t.owner, t.listing_id)
      ) h on true
      where {{listing:t.listing_id}} and case when t.state = 'paid' then h.state is distinct from 'sold'
        when t.state in ${live} then h.state is distinct from 'held' else false end`,
  },
  {
    name: 'an item is on the market until it is sold, its auction is over, or its seller ends it or is erased',
    sql: `
      select format('listing %s is %s', l.id, case when l.is_active then 'active, but sold or over' else 'inactive without a reason' end) as message
      from catalog.listings l
      left join auction.auctions a on a.listing_id = l.id
      where {{listing:l.id}} and l.is_active = case when l.is_auction then a.state is not distinct from 'closed'
        else exists (select from catalog.holds where listing_id = l.id and state = 'sold') end
        and (l.is_active or l.end_reason is distinct from 'seller')
        and (l.is_active or not exists (select from users.accounts where id = l.seller_id and provider = 'erased'))`,
  },
  {
    name: 'fee + seller_amount = sale_price, and the buyer pays price, shipping and fee',
    sql: `
      select format('sale %s: price %s, shipping %s, fee %s, seller %s, amount %s',
        id, sale_price, shipping_cost, transaction_fee, seller_amount, amount) as message
      from payments.transactions
      where {{listing:listing_id}} and sale_price is not null and (
        transaction_fee + seller_amount <> sale_price
        or amount <> sale_price + shipping_cost + transaction_fee
        or transaction_fee <> (sale_price::bigint * fee_basis_points + 5000) / 10000
      )`,
  },
  {
    name: 'each accepted offer has a hold, and no sold item has a pending offer',
    sql: `
      select format('offer %s is %s, its hold is %s', o.id, o.status, coalesce(h.state, 'not there')) as message
      from catalog.offers o left join catalog.holds h on h.offer_id = o.id
      where {{listing:o.listing_id}} and ((o.status = 'accepted') <> (coalesce(h.state, 'released') in ('held', 'sold'))
        or o.status = 'pending' and exists (select from catalog.holds s where s.listing_id = o.listing_id and s.state = 'sold'))`,
  },
  {
    name: 'no sale stays in an intermediate state past its deadline, and no webhook stays unprocessed',
    sql: `
      select format('sale %s is %s, due at %s', id, state, expires_at) as message
      from payments.transactions
      where {{overdue:next_at}} and (state in ('new', 'releasing', 'refunding') or (state in ${live} and expires_at < clock_timestamp()))
      union all
      select format('the provider’s event %s about %s is not processed', id, intent_id) from payments.webhook_events
      where {{overdue:next_at}} and processed_at is null`,
  },
]
