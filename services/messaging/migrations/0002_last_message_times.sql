-- Time of the latest message, the key of the list of conversations. Set by a trigger, because processes of earlier versions insert
-- messages without it. The trigger fires once per statement, so a statement that inserts many messages updates each row once.
alter table conversations add column last_at timestamptz;

create function set_last_message_time() returns trigger language plpgsql as $$
begin
  update conversations set last_at = greatest(last_at, latest.at)
  from (select conversation_id, max(created_at) as at from added group by conversation_id) as latest
  where id = latest.conversation_id;
  return null;
end
$$;

create trigger messages_last_time after insert on messages
  referencing new table as added for each statement execute function set_last_message_time();
