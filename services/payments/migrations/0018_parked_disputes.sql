alter table disputes
  -- When amount or state last differed from the provider's; null for rows of the version before.
  add column changed_at timestamptz,
  -- Set when a dispute stayed unsettled and unchanged for 120 days. No further read is scheduled.
  add column parked_at timestamptz;
alter table disputes drop constraint disputes_closed_or_due;
alter table disputes add constraint disputes_closed_parked_or_due
  check ((closed_at is null or next_at is null) and num_nonnulls(closed_at, parked_at, next_at) > 0) not valid;
