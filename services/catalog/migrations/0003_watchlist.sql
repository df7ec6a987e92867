create table watchlist (
  user_id uuid not null,
  listing_id uuid not null references listings (id),
  added_at timestamptz not null default clock_timestamp(),
  primary key (user_id, listing_id)
);

-- A person's list, newest first.
create index watchlist_newest on watchlist (user_id, added_at desc, listing_id desc);
