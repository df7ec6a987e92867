-- Calls to the provider of the language model in the current hour, counted by all processes together. The table has one row.
create table assistant_budget (
  is_only_row boolean primary key default true check (is_only_row),
  -- When the first call of the hour was counted.
  started_at timestamptz not null,
  calls bigint not null check (calls > 0)
);
