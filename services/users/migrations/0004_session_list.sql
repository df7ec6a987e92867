-- What a person sees of a session: the browser that opened it and its last refresh. Null for sessions of earlier versions.
alter table sessions add column device text;
alter table sessions add column last_used_at timestamptz;
