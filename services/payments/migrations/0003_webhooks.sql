-- The provider's events that concern a sale, by the provider's own id: one that comes again is known.
create table webhook_events (
  id text primary key,
  type text not null,
  intent_id text not null,
  received_at timestamptz not null default clock_timestamp(),
  processed_at timestamptz,
  -- When the sweeper takes it up; null once it is processed.
  next_at timestamptz,
  constraint webhook_events_processed_or_due check ((processed_at is null) = (next_at is not null))
);

-- The sweeper's claim.
create index webhook_events_due on webhook_events (next_at) where next_at is not null;
