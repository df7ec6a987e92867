-- Steps of requests about one person's data that this service has still to take: an answer is made once, then delivered.
create table personal_data_tasks (
  request_id uuid not null,
  step text not null check (step in ('ask', 'export', 'erase')),
  user_id uuid not null,
  -- Made in the transaction that took the step.
  answer json,
  next_at timestamptz not null default clock_timestamp(),
  primary key (request_id, step)
);
