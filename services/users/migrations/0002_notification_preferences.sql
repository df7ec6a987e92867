-- What a person wants to hear of; who has no row wants nothing.
create table notification_preferences (
  account_id uuid primary key references accounts (id),
  deals boolean not null,
  offers boolean not null,
  updated_at timestamptz not null default clock_timestamp()
);
