-- One row per sale, from the first press of a button to its end. Amounts are US cents.
create table transactions (
  id uuid primary key,
  listing_id uuid not null,
  buyer_id uuid not null,
  transaction_type text not null check (transaction_type in ('buy_now', 'auction_win', 'offer_accepted')),
  -- Which service decides whether the item is still for sale.
  owner text not null check (owner in ('catalog', 'auction')),
  state text not null check (
    state in ('new', 'held', 'payable', 'releasing', 'paid', 'released', 'refunding', 'refunded')
  ),
  -- The terms, frozen when the item is held; a sale that never got that far has none.
  seller_id uuid,
  listing_title text,
  listing_image_url text,
  sale_price integer check (sale_price > 0),
  shipping_cost integer check (shipping_cost >= 0),
  transaction_fee integer check (transaction_fee >= 0),
  seller_amount integer check (seller_amount > 0),
  amount integer check (amount > 0),
  -- The provider's intent; kept after a release, since a late success must find its sale.
  intent_id text unique,
  payment_method text,
  -- Why it was released.
  reason text,
  version bigint not null default 1,
  -- When a sale that is neither paid nor over lapses.
  expires_at timestamptz not null,
  -- The last create-intent: the sweeper asks the provider more often soon after it.
  asked_at timestamptz,
  -- When the sweeper looks at it next; null when there is nothing left to look at.
  next_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint transactions_terms_whole check (
    num_nulls(seller_id, listing_title, sale_price, shipping_cost, transaction_fee, seller_amount, amount) in (0, 7)
  ),
  constraint transactions_terms_from_held check (state in ('new', 'released') or sale_price is not null),
  constraint transactions_intent_from_payable check (
    state in ('new', 'held', 'released') or intent_id is not null
  ),
  constraint transactions_amount check (amount = sale_price + shipping_cost + transaction_fee),
  constraint transactions_seller_amount check (seller_amount = sale_price - transaction_fee),
  constraint transactions_fee check (transaction_fee = (sale_price::bigint * 5 + 50) / 100),
  constraint transactions_buyer_is_not_seller check (buyer_id <> seller_id)
);

-- A listing is held or sold once. Not `new`: the owner picks among those.
create unique index transactions_one_live_per_listing on transactions (listing_id)
  where state in ('held', 'payable', 'releasing', 'paid');

-- A buyer's presses of one button share a sale; also the search for it.
create unique index transactions_one_live_per_buyer on transactions (listing_id, buyer_id)
  where state in ('new', 'held', 'payable', 'releasing');

-- The sweeper's claim.
create index transactions_due on transactions (next_at) where next_at is not null;
-- A person's transactions, newest first, by role.
create index transactions_of_buyer on transactions (buyer_id, created_at desc);
create index transactions_of_seller on transactions (seller_id, created_at desc);
