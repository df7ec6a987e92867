-- Ended blocks that are deleted.
create index concurrently if not exists bars_of_ended_blocks on bars (until) where reason = 'blocked';
-- The erasure of a seller.
create index concurrently if not exists bars_of_seller on bars (seller_id);
