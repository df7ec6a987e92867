-- Disputes at the card provider, as last read there.
create table disputes (
  -- The provider's id.
  id text primary key,
  sale_id uuid not null references transactions,
  amount_cents integer not null check (amount_cents > 0),
  reason text not null,
  -- The provider's status. One that is unknown here counts as open.
  state text not null,
  -- What the buyer's bank kept; 0 until the dispute is lost.
  charged_back_cents integer not null default 0 check (charged_back_cents >= 0),
  due_by timestamptz,
  closed_at timestamptz,
  -- The next read at the provider; null once the dispute is closed.
  next_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint disputes_closed_or_due check ((closed_at is null) = (next_at is not null))
);
create index disputes_of_sale on disputes (sale_id);
create index disputes_due on disputes (next_at) where next_at is not null;

alter table transactions
  -- The sum over its disputes.
  add column charged_back_cents integer not null default 0,
  add column is_disputed boolean not null default false;
alter table transactions add constraint transactions_charged_back check (charged_back_cents >= 0) not valid;

-- The provider's balance transaction that a journal posts.
alter table journals add column provider_ref text;
alter table journals drop constraint journals_kind_check;
alter table journals add constraint journals_kind_check check (kind in (
  'capture', 'late_capture', 'refund_owed', 'refund_paid', 'refund_failed', 'refund_dropped',
  'dispute_opened', 'dispute_won', 'dispute_lost'
)) not valid;
alter table entries drop constraint entries_account_check;
alter table entries add constraint entries_account_check check (account in (
  'provider', 'seller', 'fee:buyer', 'fee:seller', 'refund:due', 'disputed', 'expense:loss'
)) not valid;
