-- Events of this schema's changes, sent by the relay; rows stay for 7 days after that.
create table outbox (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  topic text not null,
  key text not null,
  type text not null,
  version bigint not null,
  occurred_at timestamptz not null default clock_timestamp(),
  traceparent text,
  payload json not null,
  published_at timestamptz
);

-- The relay's read; holds only what is still to be sent.
create index outbox_unpublished on outbox (seq) where published_at is null;
-- The relay's clean-up.
create index outbox_published on outbox (published_at) where published_at is not null;

-- Ids of events that a consumer has applied or parked; they outlive the topic's events.
create table inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);

-- The inbox's clean-up.
create index inbox_received on inbox (received_at);

-- Events that a consumer could not take, whole, to be replayed once it can.
create table parked (
  id bigint generated always as identity primary key,
  consumer text not null,
  event_id uuid not null,
  event json not null,
  error text not null,
  parked_at timestamptz not null default clock_timestamp(),
  unique (consumer, event_id)
);
