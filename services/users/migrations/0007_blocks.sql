-- Members whom a member has blocked.
create table blocks (
  blocker_id uuid not null references accounts (id),
  blocked_id uuid not null references accounts (id),
  created_at timestamptz not null default clock_timestamp(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);

-- The list of a member's blocks, newest first.
create index blocks_of_blocker on blocks (blocker_id, created_at, blocked_id);
-- The erasure of a blocked member.
create index blocks_of_blocked on blocks (blocked_id);

-- Numbers of BlockChanged events. A number is taken while an account of the block is locked, so the numbers of a block rise.
create sequence block_numbers;
