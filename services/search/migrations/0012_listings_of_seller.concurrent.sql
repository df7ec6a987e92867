-- GET /api/listings with seller=, newest first.
create index concurrently if not exists listings_of_seller on listings (seller_id, created_at, id) where is_active;
