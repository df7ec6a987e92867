-- The list of a person's conversations, latest message first, from either side.
create index concurrently if not exists conversations_of_buyer on conversations (buyer_id, last_at, id);
create index concurrently if not exists conversations_of_seller on conversations (seller_id, last_at, id);

-- Replaced: their only column is the first one of the indexes above.
drop index concurrently if exists conversations_buyer;
drop index concurrently if exists conversations_seller;
