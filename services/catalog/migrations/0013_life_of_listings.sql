-- The columns are null in rows that earlier versions wrote, until a sweep fills them.
alter table listings
  -- 1 at creation; rises with every change of the terms that a buyer agrees to.
  add column terms_version integer,
  add column status text,
  -- Payment deadline of an accepted offer or a won auction. A checkout has none.
  add column reserved_until timestamptz,
  add column ended_at timestamptz,
  add column end_reason text,
  add column original_price_kind text;
alter table listings
  add constraint listings_terms_version check (terms_version > 0) not valid,
  add constraint listings_status check (status in ('active', 'reserved', 'sold', 'ended')) not valid,
  add constraint listings_end_reason check (end_reason in ('seller', 'sold', 'auction', 'removed', 'erased')) not valid,
  add constraint listings_ended check ((ended_at is null) = (end_reason is null)) not valid,
  add constraint listings_original_price_kind
    check (original_price_kind is null or original_price_kind in ('stated', 'proven') and original_price_cents is not null) not valid;

-- The terms of each version of a listing.
create table listing_revisions (
  listing_id uuid not null references listings (id),
  terms_version integer not null check (terms_version > 0),
  title text not null,
  description text not null,
  category_id integer not null references categories (id),
  condition text not null,
  price_cents integer not null check (price_cents > 0),
  shipping_cents integer not null check (shipping_cents >= 0),
  location text not null,
  image_urls text not null check (image_urls is json array),
  at timestamptz not null,
  primary key (listing_id, terms_version)
);

-- The sweep of old revisions.
create index listing_revisions_age on listing_revisions (at);

-- The prices of fixed-price listings. The newest row of a listing is its current price.
create table listing_prices (
  listing_id uuid not null references listings (id),
  from_at timestamptz not null,
  price_cents integer not null check (price_cents > 0),
  primary key (listing_id, from_at)
);

-- The sweep of old prices.
create index listing_prices_age on listing_prices (from_at);

-- Null in rows of earlier versions, whose listings had one version only.
alter table holds add column terms_version integer;
alter table offers
  add column terms_version integer,
  -- Shipping cost when the offer was made.
  add column shipping_cents integer;

alter table auction_states
  add column buyer_id uuid,
  -- The released sale of a win. The release can be applied before the end of the auction.
  add column released_sale_id uuid;
