-- The times between the end and the relisting of a listing. Its price did not apply then, so these times prove no original price.
create table listing_inactive_periods (
  listing_id uuid not null references listings (id),
  from_at timestamptz not null,
  until_at timestamptz not null,
  primary key (listing_id, from_at),
  check (until_at >= from_at)
);

-- The sweep of old periods.
create index listing_inactive_periods_age on listing_inactive_periods (until_at);
