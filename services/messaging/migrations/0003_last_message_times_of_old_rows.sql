-- A file of its own: it must not run while 0002 holds its exclusive lock. Rows with later messages already have their time.
update conversations set last_at = (
  select created_at from messages where conversation_id = conversations.id order by seq desc limit 1
) where last_at is null;
