alter table refunds
  -- Set when the refund was rejected too often or is not made for too long. An operator has to look at it.
  add column stuck_at timestamptz,
  -- Number of failed attempts after which the refund is no longer requested.
  add column attempts_allowed integer not null default 20;

-- What staff and operators did. Without a staff id an operator ran a command.
create table staff_actions (
  id uuid primary key,
  staff_id uuid,
  action text not null,
  subject text not null,
  reason text not null,
  acted_at timestamptz not null default clock_timestamp()
);
