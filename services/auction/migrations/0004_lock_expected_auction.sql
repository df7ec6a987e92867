-- Locks an auction and tells the time, but only while it is open and still as it was after this number and this bid; else
-- it tells nothing. The clock is read after the lock, as in lock_auction. A statement that writes for each row of this
-- locks, checks and writes in one go, and is a transaction of its own.
create function lock_expected_auction(id uuid, expected_number bigint, expected_lead uuid)
returns setof timestamptz rows 1 language plpgsql as $$
declare
  auction auctions;
  now timestamptz;
begin
  -- By its id alone: a row that somebody else is changing is waited for, and then read as they left it.
  select * into auction from auctions where listing_id = id for update;
  now := clock_timestamp();
  if auction.state = 'open' and auction.end_at > now
    and auction.number = expected_number and auction.leading_bid_id is not distinct from expected_lead then
    return next now;
  end if;
end
$$;
