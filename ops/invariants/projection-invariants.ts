import type { Invariant } from './invariant.ts'

// The columns that the search service copies from the catalog events ListingCreated and ListingChanged.
const shown = [
  'version',
  'seller_id',
  'title',
  'description',
  'category_id',
  'condition',
  'is_auction',
  'price_cents',
  'starting_bid_cents',
  'buy_it_now_cents',
  'auction_end_at',
  'shipping_cents',
  'location',
  'is_active',
  'accept_offers',
  'is_on_sale',
  'original_price_cents',
  'created_at',
  'updated_at',
]

const columns = (table: string) => shown.map((column) => `${table}.${column}`).join(', ')

/** Invariants for copied data: when all events have been applied, each copy equals its source. */
export const projectionInvariants: readonly Invariant[] = [
  {
    name: 'search shows each listing as catalog has it',
    sql: `
      select format('listing %s: catalog has version %s, search %s', id, c.version, s.version) as message
      from (select * from catalog.listings where {{listing:id}}) c
      full join (select * from search.listings where {{listing:id}}) s using (id)
      where (${columns('c')}, c.image_urls::jsonb) is distinct from (${columns('s')}, s.image_urls::jsonb)`,
  },
  {
    name: 'the document of each listing in search has the values of its columns',
    sql: `
      select format('listing %s shows %s for %s', id, body, title) as message from search.listings
      where {{listing:id}} and (body ->> 'version')::bigint = version
        and (body ->> 'id', body ->> 'user_id', body ->> 'title', body ->> 'condition', (body ->> 'price')::int, body -> 'image_urls')
          is distinct from (id::text, seller_id::text, title, condition, price_cents, image_urls::jsonb)`,
  },
  {
    name: 'search shows each listing’s views',
    sql: `
      select format('listing %s was viewed %s times, search shows %s and %s', c.listing_id, c.view_count, l.view_count, v.view_count) as message
      from catalog.listing_view_counts c
      left join search.listings l on l.id = c.listing_id
      left join search.views v on v.listing_id = c.listing_id
      where {{listing:c.listing_id}} and c.view_count is distinct from greatest(l.view_count, v.view_count)`,
  },
  {
    name: 'search finds the active listings by their words, and no others',
    sql: `
      select format('listing %s is %s in search', id, case when w.listing_id is null then 'without its words' else 'found, though not active' end) as message
      from (select * from search.listings where {{listing:id}}) l
      full join (select * from search.listing_words where {{listing:listing_id}}) w on w.listing_id = l.id
      where coalesce(l.is_active, false) <> (w.listing_id is not null)`,
  },
  {
    name: 'search keeps beside its words a listing’s age, price and filters',
    sql: `
      select format('listing %s is of %s at %s, beside its words of %s at %s', l.id, l.created_at, l.shown_price_cents, w.listed_at, w.price_cents) as message
      from search.listings l
      join search.listing_words w on w.listing_id = l.id
      where {{listing:l.id}} and ((w.listed_at, w.price_cents) is distinct from (l.created_at, l.shown_price_cents)
        or not w.words @@ format('%L & %L', ' category ' || l.category_slug, ' condition ' || l.condition)::tsquery
        -- The backfill of migration 0013 has written the row.
        or (w.is_free is not null and (
          (w.category_slug, w.condition, w.is_free) is distinct from (l.category_slug, l.condition, l.shipping_cents = 0)
          or not w.words @@ format('%L', ' format ' || case when l.is_auction then 'auction' else 'fixed' end)::tsquery
          or w.words @@ ''' shipping free'''::tsquery <> (l.shipping_cents = 0)
        )))`,
  },
  {
    name: 'search counts for each filter the listings that it shows',
    // Skips the comparison if a listing was written after `counted_at` (the time of the stored counts) or less than 5 s
    // before it, because the stored counts might not include that listing.
    sql: `
      select format('search counts %s listings of %s, there are %s', c.count, (category_slug, condition, is_auction, is_free), w.count) as message
      from (select * from search.facet_counts) c
      full join (
        select category_slug, condition, ends_at is not null as is_auction, is_free, count(*) as count
        from search.listing_words where ends_at is null or ends_at > (select counted_at from search.facet_recounts) group by 1, 2, 3, 4
      ) w using (category_slug, condition, is_auction, is_free)
      where c.count is distinct from w.count
        and (select counted_at from search.facet_recounts) > (select max(synced_at) + interval '5 seconds' from search.listings)`,
  },
  {
    name: 'search stores every word of its listings',
    sql: `
      select format('listing %s has a word that is not in lexemes: %s', listing_id, word) as message
      from search.listing_words, unnest(tsvector_to_array(words)) as word
      where {{listing:listing_id}} and word not like ' %' and not exists (select from search.lexemes where lexeme = word)`,
  },
  {
    name: 'search shows each auction’s current bid',
    sql: `
      select format('auction %s has bid %s, search shows %s and stores %s', a.listing_id, a.current_bid, l.current_bid_cents, b.amount_cents) as message
      from auction.auctions a
      join search.listings l on l.id = a.listing_id
      left join search.bids b on b.listing_id = a.listing_id
      where {{listing:a.listing_id}} and (l.current_bid_cents, b.amount_cents) is distinct from (a.current_bid, a.current_bid)`,
  },
  {
    name: 'catalog has each auction’s newest bid and end',
    sql: `
      select format('auction %s: %s bids up to %s, %s; catalog has %s bids up to %s, closed at %s',
        a.listing_id, a.bid_count, a.current_bid, a.state, s.bid_count, s.current_bid_cents, s.closed_at) as message
      from auction.auctions a
      join catalog.listings l on l.id = a.listing_id
      left join catalog.auction_states s on s.listing_id = a.listing_id
      where {{listing:a.listing_id}} and (s.current_bid_cents, s.bid_count, s.closed_at) is distinct from (a.current_bid, a.bid_count, a.closed_at)`,
  },
  {
    name: 'an auction is catalog’s listing, on the same terms',
    sql: `
      select format('listing %s: catalog has (%s, %s, %s), auction (%s, %s, %s)',
        coalesce(l.id, a.listing_id), l.price_cents, l.buy_it_now_cents, l.auction_end_at, a.starting_bid, a.buy_it_now, a.end_at) as message
      from (select * from catalog.listings where {{listing:id}} and is_auction) l
      full join (select * from auction.auctions where {{listing:listing_id}}) a on a.listing_id = l.id
      where case
        -- Opened for a listing that was never stored, so that no request can reach it.
        when l.id is null then a.bid_count > 0
        else (l.seller_id, l.title, l.price_cents, l.shipping_cents, l.buy_it_now_cents, l.auction_end_at)
          is distinct from (a.seller_id, a.title, a.starting_bid, a.shipping, a.buy_it_now, a.end_at) end`,
  },
  {
    // A count that is too low is not a violation: the bus might have deleted a sale's event before the users service
    // first read the topic.
    name: 'users counts no sale of a seller twice',
    sql: `
      select format('seller %s has %s sales, users counts %s', c.user_id, count(t.id), c.sales) as message
      from users.sale_counts c
      left join payments.transactions t on t.seller_id = c.user_id and t.state in ('paid', 'refunding', 'refunded')
      group by c.user_id, c.sales having c.sales > count(t.id)`,
  },
  {
    name: 'auction has each listing with a fixed price',
    sql: `
      select format('listing %s is known as fixed to %s only', coalesce(l.id, f.listing_id), case when l.id is null then 'auction' else 'catalog' end) as message
      from (select * from catalog.listings where {{listing:id}} and not is_auction) l
      full join (select * from auction.fixed_price_listings where {{listing:listing_id}}) f on f.listing_id = l.id
      where l.seller_id is distinct from f.seller_id`,
  },
]
