-- Refunds of a sale, whoever made them. Those that are not dropped add up to `refunded_cents`.
create table refunds (
  id uuid primary key,
  sale_id uuid not null references transactions,
  amount_cents integer not null check (amount_cents > 0),
  origin text not null check (origin in ('not_available', 'provider')),
  state text not null check (state in ('owed', 'pending', 'succeeded', 'dropped')),
  -- The provider's refund; null while none was made, and after it failed.
  provider_id text unique,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index refunds_of_sale on refunds (sale_id);

alter table transactions
  add column refunded_cents integer not null default 0,
  -- The next read of a paid sale's refunds at the provider, which finds those that no webhook reported.
  add column recheck_at timestamptz,
  add column rechecks smallint not null default 0,
  -- Set when the provider's intent differs from the sale. The sale is then left alone until a person has looked at it.
  add column mismatched_at timestamptz;
alter table transactions add constraint transactions_refunded
  check (refunded_cents between 0 and coalesce(amount, 0)) not valid;
-- A sale has a journal of each kind per subject: our refund, or the provider's. Earlier journals have the subject ''.
alter table journals add column subject text not null default '';
alter table journals drop constraint journals_kind_check;
alter table journals add constraint journals_kind_check
  check (kind in ('capture', 'late_capture', 'refund_owed', 'refund_paid', 'refund_failed', 'refund_dropped')) not valid;

alter table webhook_events add column sale_id uuid;
