-- The list of a person's conversations, latest message first, from either side.
create index conversations_of_buyer on conversations (buyer_id, last_at, id);
create index conversations_of_seller on conversations (seller_id, last_at, id);

-- Replaced: their only column is the first one of the indexes above.
drop index conversations_buyer;
drop index conversations_seller;
