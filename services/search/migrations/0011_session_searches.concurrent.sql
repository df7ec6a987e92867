-- The sweep of signed-out searches beyond the maximum, the oldest first.
create index concurrently if not exists searches_of_sessions_by_age on searches (searched_at) where session_id is not null;
