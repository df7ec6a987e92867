-- As in 0013, and reads the exposure of each bidder only if that of all bidders of the batch together exceeds the limit.
create or replace function lock_expected_auction_for_bidders(
  id uuid, expected_number bigint, expected_lead uuid, bidders uuid[], totals bigint[], max_exposure bigint, basis_points integer
) returns setof timestamptz rows 1 language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  auction auctions;
  now timestamptz;
  greatest_total bigint;
  new_leader uuid;
begin
  select * into auction from auctions where listing_id = id for update;
  now := clock_timestamp();
  if auction.state is distinct from 'open' or auction.end_at <= now
    or auction.number <> expected_number or auction.leading_bid_id is distinct from expected_lead then
    return;
  end if;
  if exists (
    select from bars where bidder_id = any(bidders) and seller_id in ('00000000-0000-0000-0000-000000000000', auction.seller_id)
      and (until is null or until > now)
  ) then
    return;
  end if;
  if max_exposure > 0 then
    select max(total) into greatest_total from unnest(totals) as total;
    new_leader := bidders[array_position(totals, greatest_total)];
    if not exists (select from known_buyers where user_id = new_leader) then
      perform pg_advisory_xact_lock(hashtextextended('auction.exposure:' || new_leader, 0));
    end if;
    -- Statements of their own, so that they see what was committed before the lock was acquired.
    -- The exposures of all bidders together are an upper bound of each. The exact check takes much longer and is rarely needed.
    if greatest_total + coalesce((
        select sum(total_cents) from first_purchase_leads where user_id = any(bidders) and listing_id <> id
      ), 0) + coalesce((
        select sum(h.price + a.shipping + (h.price::bigint * basis_points + 5000) / 10000) from holds h join auctions a using (listing_id)
        where h.buyer_id = any(bidders) and h.state = 'held' and h.sale_type = 'auction_win' and h.listing_id <> id
      ), 0) > max_exposure
    then
      if exists (
        with exposures as (
          select l.user_id, l.total_cents as cents
          from first_purchase_leads l join auctions a using (listing_id)
          where l.user_id = any(bidders) and a.leader_id = l.user_id and a.state <> 'closed' and l.listing_id <> id
          union all
          select h.buyer_id, h.price + a.shipping + (h.price::bigint * basis_points + 5000) / 10000
          from holds h join auctions a using (listing_id)
          where h.buyer_id = any(bidders) and h.state = 'held' and h.sale_type = 'auction_win' and h.listing_id <> id
        )
        select from unnest(bidders, totals) as bid (bidder, total)
        where total > 0
          and total + coalesce((select sum(cents) from exposures where user_id = bidder), 0) > max_exposure
          and not exists (select from known_buyers where user_id = bidder)
      ) then
        return;
      end if;
    end if;
  end if;
  return next now;
end
$$;
