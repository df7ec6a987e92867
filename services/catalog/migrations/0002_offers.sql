create table offers (
  id uuid primary key,
  listing_id uuid not null references listings (id),
  -- The listing's, repeated for the seller's own list.
  seller_id uuid not null,
  buyer_id uuid not null,
  made_by text not null check (made_by in ('buyer', 'seller')),
  amount_cents integer not null check (amount_cents > 0),
  message text check (char_length(message) between 1 and 1000),
  status text not null check (status in ('pending', 'accepted', 'rejected', 'withdrawn')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A pending offer counts as withdrawn from then on.
  expires_at timestamptz not null,
  check (seller_id <> buyer_id)
);

-- One offer is open between a buyer and a seller; also finds those that a sale ends.
create unique index offers_pending on offers (listing_id, buyer_id) where status = 'pending';

-- What a person made and received, newest first.
create index offers_of_buyer on offers (buyer_id, created_at desc, id desc);
create index offers_of_seller on offers (seller_id, created_at desc, id desc);

-- The sweep of lapsed offers.
create index offers_lapsing on offers (expires_at) where status = 'pending';

-- The hold of an accepted offer, and when it must be paid. An offer is accepted once.
alter table holds
  add column offer_id uuid unique references offers (id),
  add column due_at timestamptz,
  add check (num_nulls(offer_id, due_at) in (0, 2)),
  add check (offer_id is null or buyer_id is not null);
