-- The sales of a listing, for the invariant checker and the timeline.
create index concurrently if not exists transactions_of_listing on transactions (listing_id);
