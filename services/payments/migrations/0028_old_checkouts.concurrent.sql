-- Deletion of checkouts that were released without an intent, 30 days later.
create index concurrently if not exists transactions_old_checkouts on transactions (updated_at)
  where transaction_type = 'buy_now' and state = 'released' and intent_id is null and mismatched_at is null;
