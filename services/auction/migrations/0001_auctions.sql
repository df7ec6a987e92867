-- One row per auction, the root that is locked before anything of it changes. Amounts are US cents.
create table auctions (
  listing_id uuid primary key,
  seller_id uuid not null,
  title text not null,
  image_url text not null,
  starting_bid integer not null check (starting_bid > 0),
  shipping integer not null check (shipping >= 0),
  buy_it_now integer check (buy_it_now > starting_bid),
  end_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  outcome text check (outcome in ('no_sale', 'won')),
  closed_at timestamptz check (closed_at >= end_at),
  leading_bid_id uuid,
  leader_id uuid,
  current_bid integer check (current_bid > starting_bid),
  bid_count integer not null default 0 check (bid_count >= 0),
  number bigint not null default 0 check (number >= bid_count),
  opened_at timestamptz not null default clock_timestamp(),
  constraint auctions_lead_with_bids check (
    num_nonnulls(leading_bid_id, leader_id, current_bid) = case when bid_count = 0 then 0 else 3 end
  ),
  constraint auctions_leader_is_not_seller check (leader_id <> seller_id),
  constraint auctions_closed_with_outcome check (
    num_nonnulls(outcome, closed_at) = case state when 'closed' then 2 else 0 end
  ),
  constraint auctions_won_with_bids check (outcome is null or (outcome = 'won') = (bid_count > 0))
);

-- The closers' search for what is due.
create index auctions_due on auctions (end_at) where state = 'open';

create table bids (
  id uuid primary key,
  listing_id uuid not null references auctions,
  number bigint not null check (number > 0),
  amount integer not null check (amount > 0),
  bidder_id uuid not null,
  -- Only the masked name: names live with users.
  masked_bidder text not null,
  placed_at timestamptz not null,
  -- Also the history of an auction, highest first.
  constraint bids_amount_once unique (listing_id, amount),
  constraint bids_number_once unique (listing_id, number)
);

alter table auctions add constraint auctions_leading_bid_fkey foreign key (leading_bid_id) references bids;

-- Who has an ended auction's item, or had it until the time to pay was over.
create table holds (
  sale_id uuid primary key,
  listing_id uuid not null references auctions,
  buyer_id uuid not null,
  sale_type text not null check (sale_type in ('auction_win')),
  price integer not null check (price > 0),
  state text not null default 'held' check (state in ('held', 'sold', 'released')),
  due_at timestamptz not null,
  held_at timestamptz not null,
  settled_at timestamptz,
  constraint holds_settled_with_time check ((state = 'held') = (settled_at is null))
);

-- At most one live or completed sale per listing; also the search for a listing's hold.
create unique index holds_one_live on holds (listing_id) where state in ('held', 'sold');

-- Listings that are no auctions, so that a bid on one is told from a bid on nothing (ADR-0001).
create table fixed_price_listings (
  listing_id uuid primary key,
  seller_id uuid not null
);
