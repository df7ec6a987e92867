-- Listings that a seller has not published yet, as typed in the form.
create table drafts (
  -- Made by the client.
  id uuid primary key,
  owner_id uuid not null,
  body jsonb not null check (jsonb_typeof(body) = 'object' and octet_length(body::text) <= 131072),
  updated_at timestamptz not null default clock_timestamp()
);

-- GET /api/drafts: a person's drafts, the last saved first.
create index drafts_of_owner on drafts (owner_id, updated_at desc, id desc);

-- The sweep of old drafts.
create index drafts_age on drafts (updated_at);
