-- Auctions that may have been opened and whose listing is not stored. A claimed row can no longer become a listing.
create table auction_openings (
  listing_id uuid primary key,
  opened_at timestamptz not null default clock_timestamp(),
  claimed_at timestamptz
);

-- The sweep of abandoned auctions: unclaimed rows first, then those whose last attempt is the oldest.
create index auction_openings_due on auction_openings (claimed_at nulls first, opened_at);
