-- The sweep of old strikes.
create index concurrently if not exists strikes_by_age on strikes (struck_at);
