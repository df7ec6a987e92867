create table categories (
  id integer primary key,
  name text not null,
  slug text not null unique,
  description text,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);

insert into categories (id, name, slug, description) values
  (1, 'Electronics', 'electronics', 'Audio, TV, gadgets and the cables that go with them.'),
  (2, 'Computers', 'computers', 'Laptops, desktops, monitors, keyboards and parts.'),
  (3, 'Phones', 'phones', 'Smartphones, classics with buttons, and accessories.'),
  (4, 'Cameras & Photo', 'cameras-photo', 'Film and digital cameras, lenses, tripods and darkroom gear.'),
  (5, 'Watches', 'watches', 'Wristwatches, pocket watches, straps and tools.'),
  (6, 'Jewelry', 'jewelry', 'Rings, necklaces, earrings and vintage pieces.'),
  (7, 'Home Decor', 'home-decor', 'Lamps, rugs, mirrors, vases and things that make a room.'),
  (8, 'Furniture', 'furniture', 'Chairs, tables, shelves and sofas, old and new.'),
  (9, 'Kitchen', 'kitchen', 'Cookware, small appliances, knives and tableware.'),
  (10, 'Fashion', 'fashion', 'Clothing, bags and accessories for everyone.'),
  (11, 'Shoes', 'shoes', 'Sneakers, boots, heels and everything between.'),
  (12, 'Sports & Outdoors', 'sports-outdoors', 'Camping, climbing, ball games and fitness.'),
  (13, 'Bikes', 'bikes', 'Road, city and mountain bikes, parts and helmets.'),
  (14, 'Books', 'books', 'Novels, non-fiction, first editions and comics.'),
  (15, 'Vinyl & Music', 'vinyl-music', 'Records, cassettes, CDs and players.'),
  (16, 'Musical Instruments', 'musical-instruments', 'Guitars, keys, drums, strings and studio gear.'),
  (17, 'Toys & Games', 'toys-games', 'Board games, building sets, puzzles and consoles.'),
  (18, 'Art', 'art', 'Paintings, prints, photographs and sculpture.'),
  (19, 'Collectibles', 'collectibles', 'Coins, stamps, cards and curiosities.'),
  (20, 'Garden', 'garden', 'Plants, pots, tools and outdoor furniture.');

create table listings (
  id uuid primary key,
  seller_id uuid not null,
  title text not null check (char_length(title) between 1 and 200),
  description text not null check (char_length(description) <= 5000),
  category_id integer not null references categories (id),
  condition text not null check (condition in ('new', 'like-new', 'good', 'fair', 'poor')),
  is_auction boolean not null,
  -- An auction's is its starting bid.
  price_cents integer not null check (price_cents > 0),
  starting_bid_cents integer,
  buy_it_now_cents integer,
  auction_end_at timestamptz,
  shipping_cents integer not null check (shipping_cents >= 0),
  location text not null check (char_length(location) <= 200),
  is_active boolean not null,
  accept_offers boolean not null,
  is_on_sale boolean not null,
  original_price_cents integer check (original_price_cents > price_cents),
  -- The JSON text of an array of addresses, answered as it is.
  image_urls text not null check (image_urls is json array),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Taken while the row is locked; rises with every change.
  version bigint not null check (version > 0),
  check (
    case when is_auction
      then starting_bid_cents = price_cents and auction_end_at is not null
        and (buy_it_now_cents is null or buy_it_now_cents > starting_bid_cents)
        and not accept_offers and not is_on_sale
      else starting_bid_cents is null and auction_end_at is null and buy_it_now_cents is null
    end
  ),
  check (is_on_sale or original_price_cents is null)
);

-- A seller's own listings, newest first.
create index listings_of_seller on listings (seller_id, created_at desc, id desc);

-- What the auction service told about an auction: its newest known bid, and its end. A row can come before its listing.
create table auction_states (
  listing_id uuid primary key,
  -- Both only ever rise, so that late and repeated events change nothing.
  current_bid_cents integer,
  bid_count integer not null default 0,
  closed_at timestamptz
);

-- Who has a fixed-price item, with the terms it was held at. A released row of an unknown sale is a tombstone without a buyer.
create table holds (
  sale_id uuid primary key,
  listing_id uuid not null,
  state text not null check (state in ('held', 'sold', 'released')),
  buyer_id uuid,
  seller_id uuid,
  price_cents integer,
  shipping_cents integer,
  title text,
  image_url text,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  check (num_nulls(buyer_id, seller_id, price_cents, shipping_cents, title, image_url) in (0, 6)),
  check (state = 'released' or buyer_id is not null)
);

-- An item is held or sold once; also finds who has it.
create unique index holds_live on holds (listing_id) where state in ('held', 'sold');
