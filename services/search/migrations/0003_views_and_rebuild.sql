-- The views of a listing that came after what its own row says. Apart, since a view would rewrite that row.
create table views (
  listing_id uuid primary key,
  view_count integer not null,
  told_at timestamptz not null default clock_timestamp()
);

-- When a row was told last, by this database's clock: a rebuild knows by it what is older than the rebuild.
alter table listings add column told_at timestamptz not null default now();
alter table bids add column told_at timestamptz not null default now();
-- Rows that are here take one instant, without a rewrite of the table; new ones the clock's.
alter table listings alter column told_at set default clock_timestamp();
alter table bids alter column told_at set default clock_timestamp();
