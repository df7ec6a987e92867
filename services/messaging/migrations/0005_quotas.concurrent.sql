-- A sender's messages, and a buyer's new conversations, of the last day: they are counted against the quotas.
create index concurrently if not exists messages_of_sender on messages (sender_id, created_at);
create index concurrently if not exists conversations_created on conversations (buyer_id, created_at);
