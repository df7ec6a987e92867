-- Limits of a buyer's unpaid checkouts: those that are open, and those that expired.
create index concurrently if not exists transactions_open_checkouts on transactions (buyer_id)
  where transaction_type = 'buy_now' and state in ('new', 'held', 'payable', 'releasing');
create index concurrently if not exists transactions_expired_checkouts on transactions (buyer_id, expires_at)
  where transaction_type = 'buy_now' and state = 'released' and reason = 'expired' and sale_price is not null;
