import type { Invariant } from '../invariant.ts'

/**
 * Invariants for the status, revisions and prices of listings. Rows without a status are skipped: an earlier version of
 * the catalog service wrote them, and a background job sets their status later.
 */
export const listingInvariants: readonly Invariant[] = [
  {
    name: 'a fixed-price listing is reserved exactly while it is held, and sold exactly when its hold is',
    sql: `
      select format('listing %s is %s, its hold is %s', l.id, l.status, coalesce(h.state, 'not there')) as message
      from catalog.listings l
      left join catalog.holds h on h.listing_id = l.id and h.state in ('held', 'sold')
      where {{listing:l.id}} and not l.is_auction and l.status is not null
        and ((l.status = 'reserved') <> (h.state is not distinct from 'held') or (l.status = 'sold') <> (h.state is not distinct from 'sold'))`,
  },
  {
    name: 'a listing has an end and its reason exactly while it is inactive',
    sql: `
      select format('listing %s is %s and %s, ended at %s: %s', id, case when is_active then 'active' else 'inactive' end,
        status, ended_at, end_reason) as message
      from catalog.listings
      where {{listing:id}} and status is not null and (is_active = (ended_at is not null) or is_active = (end_reason is not null)
        or is_active <> case when is_auction then status = 'active' else status in ('active', 'reserved') end)`,
  },
  {
    name: 'the newest price of a fixed-price listing is its price',
    sql: `
      select format('listing %s has the price %s, its newest price is %s', l.id, l.price_cents, p.price_cents) as message
      from catalog.listings l
      left join lateral (
        select price_cents from catalog.listing_prices where listing_id = l.id order by from_at desc limit 1
      ) p on true
      where {{listing:l.id}} and not l.is_auction and l.terms_version is not null
        and l.price_cents is distinct from p.price_cents`,
  },
  {
    name: 'a proven original price is the lowest of the 30 days before the reduction',
    sql: `
      select format('listing %s proves %s with %s', l.id, l.original_price_cents, min(p.price_cents)) as message
      from catalog.listings l
      join lateral (
        select from_at from catalog.listing_prices where listing_id = l.id order by from_at desc limit 1
      ) reduction on true
      left join lateral (
        select price_cents, from_at, lead(from_at) over (order by from_at) as until_at
        from catalog.listing_prices where listing_id = l.id
      ) p on p.until_at > reduction.from_at - interval '30 days' and not exists (
        select from catalog.listing_inactive_periods i where i.listing_id = l.id and i.until_at >= p.until_at
          and i.from_at <= greatest(p.from_at, reduction.from_at - interval '30 days')
      )
      where {{listing:l.id}} and l.original_price_kind = 'proven'
      group by l.id, l.original_price_cents, l.price_cents
      having l.original_price_cents is distinct from min(p.price_cents) or l.original_price_cents <= l.price_cents`,
  },
  {
    name: 'a hold’s terms version has its revision',
    sql: `
      select format('sale %s holds version %s of listing %s', h.sale_id, h.terms_version, h.listing_id) as message
      from catalog.holds h
      join catalog.listings l on l.id = h.listing_id
      where {{listing:h.listing_id}} and h.buyer_id is not null and l.terms_version is not null and not exists (
        select from catalog.listing_revisions r
        where (r.listing_id, r.terms_version) = (h.listing_id, coalesce(h.terms_version, 1))
      )`,
  },
]
