-- Neither table references listings: the check would lock the listing's row for each batch of views.

-- When a viewer's view of a listing last counted.
create table listing_views (
  listing_id uuid not null,
  -- SHA-256 of whom the view is counted for: a user, a browser or an address.
  viewer bytea not null check (length(viewer) = 32),
  counted_at timestamptz not null,
  primary key (listing_id, viewer)
);

-- The sweep of those that may count again.
create index listing_views_age on listing_views (counted_at);

-- Apart from the listing, so that views never wait for a sale nor make a new version of a wide row.
create table listing_view_counts (
  listing_id uuid primary key,
  view_count integer not null check (view_count > 0)
)
with (fillfactor = 70);
