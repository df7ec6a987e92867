-- The first answers of writes that carried an Idempotency-Key, for 24 hours.
create table idempotency_keys (
  user_id uuid not null,
  -- Method and template, as in `POST /api/bids`.
  route text not null,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of path parameters and body.
  body_hash bytea not null check (length(body_hash) = 32),
  state text not null check (state in ('running', 'done')),
  status smallint,
  answer json,
  -- Who runs it and until when: a write that spans calls. One of a single transaction is never seen running.
  claim uuid,
  running_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, route, key),
  check ((state = 'done') = (status is not null and answer is not null)),
  check ((state = 'running') = (claim is not null and running_until is not null))
);

-- The clean-up.
create index idempotency_keys_age on idempotency_keys (created_at);
