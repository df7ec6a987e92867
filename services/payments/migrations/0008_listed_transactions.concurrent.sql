-- GET /api/transactions: a person's listed sales by role, newest first, and those of one listing. Abandoned checkouts are left out,
-- so that a page never scans past them.
create index concurrently if not exists transactions_listed_by_buyer on transactions (buyer_id, created_at desc, id desc)
  where transaction_type <> 'buy_now' or state in ('paid', 'refunding', 'refunded');
create index concurrently if not exists transactions_listed_by_seller on transactions (seller_id, created_at desc, id desc)
  where transaction_type <> 'buy_now' or state in ('paid', 'refunding', 'refunded');
create index concurrently if not exists transactions_listed_by_listing on transactions (listing_id, created_at desc, id desc)
  where transaction_type <> 'buy_now' or state in ('paid', 'refunding', 'refunded');
