-- Deletion of the holds of released checkouts, 30 days later.
create index concurrently if not exists holds_old_checkouts on holds (settled_at)
  where sale_type = 'buy_now' and state = 'released';
