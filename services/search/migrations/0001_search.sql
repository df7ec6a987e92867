-- Every listing as catalog tells it, for browsing. Its words lie apart: a bid rewrites this row and its indexes.
create table listings (
  id uuid primary key,
  version bigint not null,
  seller_id uuid not null,
  title text not null,
  description text not null,
  category_id integer not null,
  category_name text not null,
  category_slug text not null,
  condition text not null,
  is_auction boolean not null,
  price_cents integer not null,
  starting_bid_cents integer,
  current_bid_cents integer,
  buy_it_now_cents integer,
  auction_end_at timestamptz,
  shipping_cents integer not null,
  location text not null,
  is_active boolean not null,
  accept_offers boolean not null,
  is_on_sale boolean not null,
  original_price_cents integer,
  view_count integer not null,
  image_urls text not null check (image_urls is json array),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What the card shows; filters and orders use it.
  shown_price_cents integer not null generated always as (coalesce(current_bid_cents, starting_bid_cents, price_cents)) stored
);

-- Newest first: all, of a category, of a condition.
create index listings_newest on listings (created_at, id) where is_active;
create index listings_category_newest on listings (category_slug, created_at, id) where is_active;
create index listings_condition_newest on listings (condition, created_at, id) where is_active;
-- By price, either way, and within a price range: all, of a category.
create index listings_price on listings (shown_price_cents, id) where is_active;
create index listings_category_price on listings (category_slug, shown_price_cents, id) where is_active;
-- Ending soon: the auctions of all and of a category, then the rest.
create index listings_ending on listings (auction_end_at, id) where is_active and is_auction;
create index listings_category_ending on listings (category_slug, auction_end_at, id) where is_active and is_auction;
create index listings_not_ending on listings (created_at, id) where is_active and not is_auction;

-- The newest bid of each auction. A bid can come before its listing.
create table bids (
  listing_id uuid primary key,
  -- The auction's number of the bid; 0 while there is none.
  number bigint not null,
  amount_cents integer,
  check ((number = 0) = (amount_cents is null))
);

-- The words of active listings: title above description.
create table listing_words (
  listing_id uuid primary key,
  words tsvector not null,
  -- The auction's end, so that counting needs no look at the listings.
  ends_at timestamptz
);

-- Words of a search; few rows change at a time, and a pending list would slow every read.
create index listing_words_words on listing_words using gin (words) with (fastupdate = off);
-- How common a word is decides between two ways to find listings.
alter table listing_words alter column words set statistics 1000;

-- Words that titles have, in lower case, to guess what a mistyped one meant.
create table vocabulary (
  word text primary key
);

-- Words similar to a given one.
create index vocabulary_similar on vocabulary using gin (word extensions.gin_trgm_ops);
