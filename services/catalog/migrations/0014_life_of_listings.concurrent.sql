-- The sweep that fills the columns of rows that earlier versions wrote.
create index concurrently if not exists listings_unfilled on listings (id) where terms_version is null or is_active = (ended_at is not null);

-- GET /api/users/me/listings with status: a seller's listings, newest first.
create index concurrently if not exists listings_of_seller_by_status on listings (seller_id, status, created_at desc, id desc);

-- The sweep of sales with a proven original price.
create index concurrently if not exists listings_proven on listings (id) where original_price_kind = 'proven';

-- Revisions that a hold refers to.
create index concurrently if not exists holds_of_listing on holds (listing_id);
