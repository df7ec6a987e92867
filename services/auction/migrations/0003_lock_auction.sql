-- Locks an auction and then reads the clock, each in a statement of its own but in one call: the time spent waiting for
-- the lock counts, and a lone bid is spared a round trip. Without such an auction there is only the time.
create function lock_auction(id uuid, out auction auctions, out now timestamptz) language plpgsql as $$
begin
  select * into auction from auctions where listing_id = id for update;
  now := clock_timestamp();
end
$$;
