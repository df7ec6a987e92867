create table conversations (
  id uuid primary key,
  listing_id uuid not null,
  -- As it was when the first message was written.
  listing_title text not null,
  buyer_id uuid not null,
  seller_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  check (buyer_id <> seller_id),
  -- One per listing and buyer, also when two first messages come at once.
  unique (listing_id, buyer_id)
);

-- The list of a person's conversations, from either side.
create index conversations_buyer on conversations (buyer_id);
create index conversations_seller on conversations (seller_id);

create table messages (
  id uuid primary key,
  -- Taken while the conversation is locked, so within one it is the order of commit.
  seq bigint not null generated always as identity,
  conversation_id uuid not null references conversations (id),
  sender_id uuid not null,
  message_text text not null check (length(message_text) between 1 and 1000),
  created_at timestamptz not null,
  -- When the other side marked it; unread counts are counted from here.
  read_at timestamptz
);

-- A conversation's messages in order, and its last one.
create unique index messages_order on messages (conversation_id, seq);
-- Unread counts and marking as read.
create index messages_unread on messages (conversation_id, sender_id) where read_at is null;
