-- Items held by and for a person: open payments, and the copies of titles that an erasure removes.
create index concurrently if not exists holds_of_buyer on holds (buyer_id);
create index concurrently if not exists holds_of_seller on holds (seller_id);
-- The views that an erasure removes.
create index concurrently if not exists listing_views_of_viewer on listing_views (viewer);
