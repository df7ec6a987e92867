-- Who may not bid, until when. A nil seller is every seller.
create table bars (
  bidder_id uuid not null,
  seller_id uuid not null,
  reason text not null check (reason in ('blocked', 'cancelled', 'unpaid', 'support', 'erased')),
  until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (bidder_id, seller_id, reason)
);

-- Won auctions that were not paid in time. A lifted strike no longer counts.
create table strikes (
  sale_id uuid primary key,
  user_id uuid not null,
  struck_at timestamptz not null default clock_timestamp(),
  lifted_at timestamptz
);

-- A person's strikes: counted with each new one, exported, erased.
create index strikes_by_user on strikes (user_id);

-- People who have completed a purchase. They have no exposure limit.
create table known_buyers (user_id uuid primary key);

-- Auctions led by a first-time buyer, with what winning them would cost. A row counts while its user leads that open auction.
create table first_purchase_leads (
  listing_id uuid primary key,
  user_id uuid not null,
  total_cents bigint not null check (total_cents > 0)
);

-- A person's exposure.
create index first_purchase_leads_by_user on first_purchase_leads (user_id);

-- What staff and operators did. Without a staff id an operator ran a command.
create table staff_actions (
  id uuid primary key,
  staff_id uuid,
  action text not null,
  subject text not null,
  reason text not null,
  acted_at timestamptz not null default clock_timestamp()
);

-- bounded: inserts into a new table
insert into known_buyers select distinct buyer_id from holds where state = 'sold';

-- The totals in cents, with shipping and fee, of what a person leads and has won but not paid, except on one listing.
create function first_purchase_exposure(buyer uuid, except_listing uuid, basis_points integer) returns bigint
language sql stable as $$
  select coalesce((
    select sum(l.total_cents) from first_purchase_leads l join auctions a using (listing_id)
    where l.user_id = buyer and a.leader_id = buyer and a.state <> 'closed' and l.listing_id <> except_listing
  ), 0)::bigint + coalesce((
    select sum(h.price + a.shipping + (h.price::bigint * basis_points + 5000) / 10000) from holds h join auctions a using (listing_id)
    where h.buyer_id = buyer and h.state = 'held' and h.sale_type = 'auction_win' and h.listing_id <> except_listing
  ), 0)::bigint
$$;

-- Serializes what reads and raises the exposure of the first-time buyers among these people, until the transaction ends.
-- Locked in the order of ids, while holding an auction's row: no transaction waits for a row while it holds such a lock.
create function lock_exposure(buyers uuid[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('auction.exposure:' || id, 0))
  from (
    select id from unnest(buyers) as id where not exists (select from known_buyers where user_id = id) order by id
  ) as first_time;
end
$$;

-- Returns the bidders who are barred or first-time buyers. Holding the auction's row, it locks their exposure and then reads it,
-- each in a statement of its own. Without a limit, exposure is neither locked nor read.
create function read_bidders(auction_id uuid, bidders uuid[], is_limited boolean, basis_points integer)
returns table (bidder_id uuid, barred_until timestamptz, used_cents bigint) language plpgsql as $$
begin
  if is_limited then
    perform lock_exposure(bidders);
  end if;
  return query
    select bidder.id, bar.until, case when is_limited and not exists (select from known_buyers where user_id = bidder.id)
      then first_purchase_exposure(bidder.id, auction_id, basis_points) end
    from unnest(bidders) as bidder (id)
    left join lateral (
      select max(bars.until) as until from bars
      where bars.bidder_id = bidder.id and bars.seller_id = '00000000-0000-0000-0000-000000000000' and bars.until > clock_timestamp()
    ) bar on true;
end
$$;

-- As lock_expected_auction, and returns nothing either if a bidder is barred or a first-time buyer might exceed the limit.
-- totals are the greatest totals in cents that the bidders' accepted bids come to, 0 without one. A limit of 0 is none.
create function lock_expected_auction_for_bidders(
  id uuid, expected_number bigint, expected_lead uuid, bidders uuid[], totals bigint[], max_exposure bigint, basis_points integer
) returns setof timestamptz rows 1 language plpgsql as $$
declare
  auction auctions;
  now timestamptz;
begin
  select * into auction from auctions where listing_id = id for update;
  now := clock_timestamp();
  if auction.state is distinct from 'open' or auction.end_at <= now
    or auction.number <> expected_number or auction.leading_bid_id is distinct from expected_lead then
    return;
  end if;
  if exists (
    select from bars where bidder_id = any(bidders) and seller_id = '00000000-0000-0000-0000-000000000000' and until > now
  ) then
    return;
  end if;
  if max_exposure > 0 then
    perform lock_exposure(bidders);
    if exists (
      select from unnest(bidders, totals) as bid (bidder, total)
      where total > 0 and not exists (select from known_buyers where user_id = bidder)
        and total + first_purchase_exposure(bidder, auction.listing_id, basis_points) > max_exposure
    ) then
      return;
    end if;
  end if;
  return next now;
end
$$;
