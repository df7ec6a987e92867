-- Listings whose auction was dropped, so that a delayed OpenAuction does not open it again.
create table dropped_auctions (
  listing_id uuid primary key,
  dropped_at timestamptz not null default clock_timestamp()
);

-- The sweep of old rows.
create index dropped_auctions_age on dropped_auctions (dropped_at);
