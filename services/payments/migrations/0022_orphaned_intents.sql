-- Intents at the provider that no sale had stored when they were read, for example because their response was lost.
create table orphaned_intents (
  id text primary key,
  sale_id uuid not null,
  found_at timestamptz not null default clock_timestamp()
);
create index orphaned_intents_of_sale on orphaned_intents (sale_id);
-- The clean-up.
create index orphaned_intents_old on orphaned_intents (found_at);

-- How far the provider's list of intents was read. It is ordered by the provider's time of creation, newest first.
create table intent_position (
  only_row boolean primary key default true check (only_row),
  -- Intents created before were read, in seconds since the epoch by the provider's clock.
  read_until bigint not null,
  -- A scan that reached the bound of one look: its newest intent's time of creation, and the last intent that it read.
  scan_until bigint,
  scan_after text,
  check ((scan_until is null) = (scan_after is null))
);
