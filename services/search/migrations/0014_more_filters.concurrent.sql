-- The counts of facets over all listings, from the index alone.
create index concurrently if not exists listing_words_facets on listing_words (category_slug, condition, is_free, ends_at);
-- Rows that the sweep of filter words has not written yet. Afterwards it is empty.
create index concurrently if not exists listing_words_unfilled on listing_words (listing_id) where is_free is null;
