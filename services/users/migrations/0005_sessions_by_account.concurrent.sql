-- The sessions of one person, newest first.
create index concurrently if not exists sessions_of_account on sessions (account_id, id desc) where revoked_at is null;
