-- Whether an auction has a hold, also by the foreign key when an auction is deleted.
create index concurrently if not exists holds_of_listing on holds (listing_id);
