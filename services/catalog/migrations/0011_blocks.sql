-- Copy of the blocks that the users service owns. The row of an ended block stays for a time, so that an earlier event of the block that
-- arrives late is ignored.
create table blocks (
  blocker_id uuid not null,
  blocked_id uuid not null,
  is_blocked boolean not null,
  -- Number of the BlockChanged event that the row was written by.
  number bigint not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (blocker_id, blocked_id)
);

-- The erasure of a blocked member.
create index blocks_of_blocked on blocks (blocked_id);
-- Ended blocks that are deleted.
create index blocks_ended on blocks (changed_at) where not is_blocked;
