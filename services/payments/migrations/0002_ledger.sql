-- Double entry: a journal is one business event of a sale, its entries sum to zero. Debit +, credit −, US cents.
create table journals (
  id uuid primary key,
  sale_id uuid not null references transactions,
  kind text not null check (kind in ('capture', 'late_capture', 'refund_owed', 'refund_paid')),
  recorded_at timestamptz not null default clock_timestamp(),
  -- Whatever repeats itself, a sale's money moves once.
  constraint journals_once unique (sale_id, kind)
);

create table entries (
  journal_id uuid not null references journals,
  line smallint not null,
  account text not null check (account in ('provider', 'seller', 'fee:buyer', 'fee:seller', 'refund:due')),
  amount bigint not null check (amount <> 0),
  primary key (journal_id, line)
);

-- Judged at the commit, so that a journal and its entries may come in any order of statements.
create function refuse_unbalanced_journal() returns trigger
language plpgsql set search_path from current as $$
declare
  judged uuid;
  total numeric;
begin
  if tg_table_name = 'journals' then
    judged := new.id;
  else
    judged := new.journal_id;
  end if;
  select sum(amount) into total from entries where journal_id = judged;
  if total is distinct from 0 then
    raise exception 'Journal % sums to %, not to zero.', judged, coalesce(total::text, 'nothing')
      using errcode = 'check_violation', constraint = 'journals_balance';
  end if;
  return null;
end
$$;

create constraint trigger journals_balance after insert or update on journals
  deferrable initially deferred for each row execute function refuse_unbalanced_journal();
create constraint trigger entries_balance after insert or update on entries
  deferrable initially deferred for each row execute function refuse_unbalanced_journal();

-- What is booked stays booked: the running role adds, and changes nothing.
do $$
begin
  execute format('revoke update, delete, truncate on journals, entries from %I', current_schema() || '_app');
end
$$;
