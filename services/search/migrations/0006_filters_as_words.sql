-- A listing's category and condition as words of its own, so that one look into the word index finds words and filters
-- at once; no text has them: their parts have a space between them. And its age and price, so that matches are put in order
-- and counted without a look at the listings. Triggers, so that every version of this service keeps them.
alter table listing_words add column listed_at timestamptz, add column price_cents integer;
-- No index has the price, so that a bid changes it in place, on the same page, and leaves the word index alone.
alter table listing_words set (fillfactor = 90);

create function add_filter_words() returns trigger language plpgsql as $$
declare
  listing listings;
begin
  select * into listing from listings where id = new.listing_id;
  if found then
    new.listed_at = listing.created_at;
    new.price_cents = listing.shown_price_cents;
    new.words = new.words || array_to_tsvector(array['category ' || listing.category_slug, 'condition ' || listing.condition]);
  end if;
  return new;
end $$;

create trigger filter_words before insert or update of words on listing_words
  for each row execute function add_filter_words();

create function keep_price() returns trigger language plpgsql as $$
begin
  update listing_words set price_cents = new.shown_price_cents where listing_id = new.id;
  return null;
end $$;

create trigger price_beside_words after update on listings
  for each row when (new.shown_price_cents is distinct from old.shown_price_cents) execute function keep_price();

update listing_words set words = words;

-- The newest with a common word: they are walked until enough are found.
create index listing_words_newest on listing_words (listed_at, listing_id);

-- The planner's guess, from its statistics, of how many listings have these words.
create function estimated_matches(query tsquery) returns double precision language plpgsql as $$
declare
  plan json;
begin
  execute format('explain (format json) select from listing_words where words @@ %L::tsquery', query) into plan;
  return plan -> 0 -> 'Plan' -> 'Plan Rows';
end $$;

-- With what else a count asks for, so that it needs no look at the listings. The old ones go last: readers wait from there on.
create index new_newest on listings (created_at, id) include (auction_end_at) where is_active;
create index new_category_newest on listings (category_slug, created_at, id)
  include (condition, auction_end_at) where is_active;
create index new_condition_newest on listings (condition, created_at, id) include (auction_end_at) where is_active;
create index new_price on listings (shown_price_cents, id) include (condition, auction_end_at) where is_active;
create index new_category_price on listings (category_slug, shown_price_cents, id)
  include (condition, auction_end_at) where is_active;
drop index listings_newest, listings_category_newest, listings_condition_newest, listings_price, listings_category_price;
alter index new_newest rename to listings_newest;
alter index new_category_newest rename to listings_category_newest;
alter index new_condition_newest rename to listings_condition_newest;
alter index new_price rename to listings_price;
alter index new_category_price rename to listings_category_price;
