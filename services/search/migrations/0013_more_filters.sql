-- The values of filters that facets count, so that matches are grouped without reading listings. They are null until the
-- sweep of filter words has written the row.
alter table listing_words
  add column category_slug text, add column condition text, add column is_free boolean;

-- The filter words of a location. Its first 8 words are enough for places, and bound the words of a listing.
create function place_words(location text) returns text[] language sql immutable as $$
  select coalesce(array_agg(' place ' || lexeme order by positions[1]), '{}')
  from (
    select lexeme, positions from unnest(to_tsvector('simple', normalize(location))) order by positions[1] limit 8
  ) as first
$$;

-- Format, free shipping and the first 8 words of the location become words, as category and condition are.
create or replace function add_filter_words() returns trigger language plpgsql as $$
declare
  listing listings;
begin
  select * into listing from listings where id = new.listing_id;
  if found then
    new.listed_at = listing.created_at;
    new.price_cents = listing.shown_price_cents;
    new.category_slug = listing.category_slug;
    new.condition = listing.condition;
    new.is_free = listing.shipping_cents = 0;
    new.words = new.words || array_to_tsvector(array[
        ' category ' || listing.category_slug, ' condition ' || listing.condition,
        case when listing.is_auction then ' format auction' else ' format fixed' end
      ] || case when listing.shipping_cents = 0 then array[' shipping free'] else '{}' end
      || place_words(listing.location));
  end if;
  return new;
end $$;

-- The number of active listings by category, condition, format and shipping, for pages without search words. The sweep
-- `counts of facets` writes it.
create table facet_counts (
  category_slug text not null,
  condition text not null,
  is_auction boolean not null,
  is_free boolean not null,
  count integer not null check (count > 0),
  primary key (category_slug, condition, is_auction, is_free)
);

-- When the counts were last written; no row before the first time.
create table facet_recounts (
  is_only boolean primary key default true check (is_only),
  counted_at timestamptz not null
);
