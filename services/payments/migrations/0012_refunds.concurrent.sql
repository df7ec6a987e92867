-- Rechecks that are due, and parked sales.
create index concurrently if not exists transactions_recheck on transactions (recheck_at) where recheck_at is not null;
create index concurrently if not exists transactions_mismatched on transactions (mismatched_at) where mismatched_at is not null;
-- Replaces the constraint journals_once.
create unique index concurrently if not exists journals_once_per_subject on journals (sale_id, kind, subject);
