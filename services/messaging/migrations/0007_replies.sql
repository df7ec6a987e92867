-- How long sellers took to reply. A row is written with a buyer's message unless an earlier one is still unanswered, and completed with the
-- seller's next message.
create table replies (
  conversation_id uuid not null references conversations (id),
  received_at timestamptz not null,
  seller_id uuid not null,
  replied_at timestamptz,
  primary key (conversation_id, received_at)
);

-- The unanswered message of a conversation.
create unique index replies_unanswered on replies (conversation_id) where replied_at is null;
-- The newest replies of a seller.
create index replies_of_seller on replies (seller_id, received_at desc);
-- Rows that are deleted after 90 days.
create index replies_by_time on replies (received_at);
