-- When an address last counted a term for trending, so that one address with many browser sessions counts once an hour. The id is a
-- hash of network and term.
create table address_counts (
  id bigint primary key,
  counted_at timestamptz not null
);
-- Counts that are older than the hour.
create index address_counts_old on address_counts (counted_at);

-- Terms that are shown neither as trending nor as suggestions.
create table blocked_terms (
  term_key text primary key,
  blocked_at timestamptz not null default clock_timestamp()
);
