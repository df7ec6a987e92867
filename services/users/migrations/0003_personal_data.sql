-- Requests about one person's data over all services: a copy of it, or its erasure.
create table personal_data_requests (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  kind text not null check (kind in ('export', 'erasure')),
  -- asking → refused | erasing → done; exporting → done.
  state text not null check (state in ('asking', 'erasing', 'exporting', 'refused', 'done')),
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((finished_at is not null) = (state in ('refused', 'done')))
);

-- One at a time of each kind.
create unique index personal_data_requests_open on personal_data_requests (account_id, kind) where finished_at is null;
-- The clean-up.
create index personal_data_requests_finished on personal_data_requests (finished_at) where finished_at is not null;

-- What each service answered to each step.
create table personal_data_receipts (
  request_id uuid not null references personal_data_requests (id) on delete cascade,
  service text not null,
  step text not null check (step in ('ask', 'export', 'erase')),
  receipt json not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (request_id, step, service)
);
