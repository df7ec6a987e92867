-- The listing's document as it is shown, so that a new field that no filter uses needs no column here.
alter table listings add column body jsonb;
-- Replaces told_at once no pod of an earlier version runs. Rows that exist have none until they are written again.
alter table listings add column synced_at timestamptz;
alter table listings alter column synced_at set default clock_timestamp();

-- The document of a row. Pods of earlier versions write the columns only: a body of another version is older than they are.
create function listing_body(listing listings) returns jsonb language sql stable as $$
  select case when (listing.body ->> 'version')::bigint = listing.version then listing.body else jsonb_build_object(
    'id', listing.id, 'version', listing.version, 'user_id', listing.seller_id,
    'title', listing.title, 'description', listing.description, 'price', listing.price_cents,
    'category_id', listing.category_id, 'category_name', listing.category_name, 'category_slug', listing.category_slug,
    'condition', listing.condition, 'is_auction', listing.is_auction,
    'auction_end_date', to_char(listing.auction_end_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'starting_bid', listing.starting_bid_cents, 'buy_it_now_price', listing.buy_it_now_cents,
    'shipping_cost', listing.shipping_cents, 'location', listing.location, 'accept_offers', listing.accept_offers,
    'is_on_sale', listing.is_on_sale, 'original_price', listing.original_price_cents,
    'image_urls', listing.image_urls::jsonb,
    'created_at', to_char(listing.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'updated_at', to_char(listing.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ) end
$$;
