-- The terms that a member or network counted in the last hour.
create index concurrently if not exists address_counts_by on address_counts (counted_by, counted_at);
