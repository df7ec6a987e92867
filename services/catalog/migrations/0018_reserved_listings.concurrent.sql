-- The metric of reserved listings.
create index concurrently if not exists listings_reserved on listings (id) where status = 'reserved';
