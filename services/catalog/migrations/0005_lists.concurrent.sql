-- GET /api/users/me/listings: the number of a seller's active listings.
create index concurrently if not exists listings_active_of_seller on listings (seller_id, auction_end_at) where is_active;

-- GET /api/offers with listing_id: what a person made or received on one listing, newest first.
create index concurrently if not exists offers_of_buyer_on_listing on offers (buyer_id, listing_id, created_at desc, id desc);
create index concurrently if not exists offers_of_seller_on_listing on offers (seller_id, listing_id, created_at desc, id desc);

-- GET /api/offers with status=pending, and the number of pending offers that a person made.
create index concurrently if not exists offers_pending_of_buyer on offers (buyer_id, created_at desc, id desc) where status = 'pending';
create index concurrently if not exists offers_pending_of_seller on offers (seller_id, created_at desc, id desc) where status = 'pending';
