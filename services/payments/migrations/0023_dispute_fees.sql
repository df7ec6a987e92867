alter table journals drop constraint journals_kind_check;
alter table journals add constraint journals_kind_check check (kind in (
  'capture', 'late_capture', 'refund_owed', 'refund_paid', 'refund_failed', 'refund_dropped',
  'dispute_opened', 'dispute_won', 'dispute_lost', 'dispute_fee'
)) not valid;
alter table entries drop constraint entries_account_check;
alter table entries add constraint entries_account_check check (account in (
  'provider', 'seller', 'fee:buyer', 'fee:seller', 'refund:due', 'disputed', 'expense:loss', 'expense:provider'
)) not valid;
