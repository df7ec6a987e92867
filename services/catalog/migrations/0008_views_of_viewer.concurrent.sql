-- The views that an erasure removes.
create index concurrently if not exists listing_views_of_viewer on listing_views (viewer);
