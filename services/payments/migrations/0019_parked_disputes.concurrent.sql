-- The number of parked disputes.
create index concurrently if not exists disputes_parked on disputes (parked_at) where parked_at is not null;
