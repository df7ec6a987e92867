// A picture in this state with the columns and values that follow.
const insertPicture = (columns: string, values: string) => `
  insert into catalog.pictures (id, uploader_id, content_type, byte_size, ${columns})
  values (gen_random_uuid(), gen_random_uuid(), 'image/jpeg', 1, ${values})`
const readyColumns = 'state, etag, hash, width, height, formats, widths, thumbhash, phash, unused_since'
const ready = `'ready', 'a', '0123456789abcdef', 1, 1, '{jpeg}', '{1}', '', repeat('0', 64)::bit(64)`

/** The corruptions of each invariant. Each is applied to sound data and must be found by the checker. */
export const corruptions: readonly (readonly [invariant: string, sql: string])[] = [
  [
    'each bid is on an auction',
    `insert into auction.bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
     values (gen_random_uuid(), gen_random_uuid(), 1, 100, gen_random_uuid(), 'A***z', clock_timestamp())`,
  ],
  [
    'accepted bids strictly increase, so that no current bid goes down',
    `update auction.bids set amount = 1 where (listing_id, number) in
       (select listing_id, max(number) from auction.bids group by 1 having count(*) > 1)`,
  ],
  [
    'one bid is winning, the newest and highest',
    'update auction.auctions set bid_count = bid_count + 1 where bid_count > 0',
  ],
  [
    'nothing is accepted after the end',
    'update auction.bids b set placed_at = a.end_at from auction.auctions a where a.listing_id = b.listing_id',
  ],
  [
    'bids are timed by the database’s clock, read after the lock',
    `update auction.bids set placed_at = placed_at - interval '1 hour' where number > 1`,
  ],
  ['an auction that is over is closed, once', `update auction.auctions set state = 'open' where state = 'closed'`],
  [
    'an auction that is over is closed, once',
    `insert into auction.outbox (id, type, version, occurred_at, key, payload, topic)
     select gen_random_uuid(), type, version, occurred_at, key, payload, topic from auction.outbox where type like '%.AuctionClosed'`,
  ],
  [
    'an ended auction with bids has one win or one paid buy-now, without bids no win',
    `delete from payments.transactions where transaction_type = 'auction_win'`,
  ],
  [
    'an ended auction with bids has one win or one paid buy-now, without bids no win',
    `update payments.transactions set buyer_id = seller_id where transaction_type = 'auction_win'`,
  ],
  [
    'a win released as unpaid has a strike, and no other sale has one',
    `with unpaid as (update payments.transactions set state = 'released', reason = 'unpaid' where transaction_type = 'auction_win' returning id)
     update auction.holds set state = 'released', settled_at = clock_timestamp() where sale_id in (select id from unpaid)`,
  ],
  [
    'a win released as unpaid has a strike, and no other sale has one',
    `insert into auction.strikes (sale_id, user_id) select id, buyer_id from payments.transactions where state = 'paid' limit 1`,
  ],
  [
    'the leading bids of a person without a completed purchase are within the exposure limit',
    `with forgotten as (delete from auction.known_buyers),
       led as (update auction.auctions set state = 'settling' where bid_count > 0 returning listing_id, leader_id)
     insert into auction.first_purchase_leads (listing_id, user_id, total_cents) select listing_id, leader_id, 500001 from led
     on conflict (listing_id) do update set user_id = excluded.user_id, total_cents = excluded.total_cents`,
  ],
  [
    'no person bids while suspended',
    `insert into auction.bars (bidder_id, seller_id, reason, until, created_at)
     select distinct bidder_id, '00000000-0000-0000-0000-000000000000'::uuid, 'support', now() + interval '1 day', now() - interval '1 day'
     from auction.bids`,
  ],
  [
    'messaging, catalog and auction have the same blocks as users',
    `insert into auction.bars (bidder_id, seller_id, reason) values (gen_random_uuid(), gen_random_uuid(), 'blocked')`,
  ],
  [
    'messaging, catalog and auction have the same blocks as users',
    `insert into users.blocks (blocker_id, blocked_id) select min(id::text)::uuid, max(id::text)::uuid from users.accounts`,
  ],
  ['the time of a reply is that of a message of the seller', 'update messaging.replies set replied_at = received_at'],
  ['users counts no sale of a seller twice', 'update users.sale_counts set sales = sales + 1000'],
  [
    'no offer is pending between a buyer and a seller who has blocked the buyer',
    `with pending as (update catalog.offers set status = 'pending' where id = (select id from catalog.offers limit 1) returning seller_id, buyer_id)
     insert into catalog.blocks (blocker_id, blocked_id, is_blocked, number) select seller_id, buyer_id, true, 1 from pending`,
  ],
  [
    'members do not message each other after a block, except about a paid item',
    `with forgotten as (delete from payments.transactions)
     insert into messaging.blocks (blocker_id, blocked_id, is_blocked, number, changed_at)
     select distinct seller_id, buyer_id, true, 1, now() - interval '1 day' from messaging.conversations`,
  ],
  [
    'at most one live or completed sale per listing',
    `update payments.transactions set state = 'held', listing_id = (select listing_id from payments.transactions where state = 'paid' limit 1)
     where state = 'released'`,
  ],
  [
    'at most one hold per listing',
    `update catalog.holds set state = 'held', listing_id = (select listing_id from catalog.holds where state = 'sold' limit 1)
     where state = 'released'`,
  ],
  ['each hold has its sale', `delete from payments.transactions where state = 'paid'`],
  ['each live or completed sale has its hold', `update catalog.holds set state = 'released' where state = 'sold'`],
  [
    'an item is on the market until it is sold, its auction is over, or its seller ends it or is erased',
    'update catalog.listings set is_active = not is_active',
  ],
  [
    'a fixed-price listing is reserved exactly while it is held, and sold exactly when its hold is',
    `update catalog.listings set status = 'reserved' where status = 'active' and not is_auction`,
  ],
  [
    'a fixed-price listing is reserved exactly while it is held, and sold exactly when its hold is',
    `update catalog.listings set status = 'active' where status = 'sold' and not is_auction`,
  ],
  [
    'a listing has an end and its reason exactly while it is inactive',
    'update catalog.listings set ended_at = null, end_reason = null',
  ],
  [
    'the newest price of a fixed-price listing is its price',
    'update catalog.listing_prices set price_cents = price_cents + 1',
  ],
  [
    'a proven original price is the lowest of the 30 days before the reduction',
    `update catalog.listings set is_on_sale = true, original_price_cents = price_cents + 1, original_price_kind = 'proven'
     where not is_auction and status = 'active'`,
  ],
  ['a hold’s terms version has its revision', 'delete from catalog.listing_revisions'],
  [
    'fee + seller_amount = sale_price, and the buyer pays price, shipping and fee',
    'update payments.transactions set transaction_fee = transaction_fee + 1, seller_amount = seller_amount - 1',
  ],
  [
    'each accepted offer has a hold, and no sold item has a pending offer',
    `update catalog.offers set status = 'accepted' where status <> 'accepted'`,
  ],
  [
    'no sale stays in an intermediate state past its deadline, and no webhook stays unprocessed',
    `update payments.transactions set state = 'releasing' where state = 'released'`,
  ],
  [
    'no sale stays in an intermediate state past its deadline, and no webhook stays unprocessed',
    'update payments.webhook_events set processed_at = null',
  ],
  [
    'each journal of the ledger sums to zero',
    `update payments.entries set amount = amount + 1 where account = 'provider'`,
  ],
  [
    'a sale’s journals are those of its state',
    `update payments.transactions set state = 'refunded' where state = 'paid'`,
  ],
  ['a journal’s amounts equal the amounts of its sale', 'update payments.entries set amount = amount * 2'],
  [
    'a sale’s refunded amount is the sum of its refunds, whole from refunding on',
    `update payments.transactions set refunded_cents = 1 where state = 'paid'`,
  ],
  [
    'the ledger owes a buyer exactly the refunds that are not made',
    `insert into payments.refunds (id, sale_id, amount_cents, origin, state)
     select gen_random_uuid(), id, 1, 'provider', 'owed' from payments.transactions where state = 'paid' limit 1`,
  ],
  [
    'a refund that is not made for 15 days is marked as stuck',
    `insert into payments.refunds (id, sale_id, amount_cents, origin, state, created_at)
     select gen_random_uuid(), id, 1, 'provider', 'pending', now() - interval '16 days' from payments.transactions where state = 'paid' limit 1`,
  ],
  [
    'a refund returns the share of both fees that belongs to its amount',
    `update payments.transactions set refunded_cents = amount where state = 'paid'`,
  ],
  [
    'a sale’s charged back amount is that of its lost disputes, and the ledger holds the money of the others',
    `update payments.transactions set charged_back_cents = 1 where state = 'paid'`,
  ],
  [
    'a sale’s charged back amount is that of its lost disputes, and the ledger holds the money of the others',
    `update payments.transactions set is_disputed = true where state = 'paid'`,
  ],
  [
    'the ledger equals the provider’s record',
    `update payments.entries set account = 'disputed' where account = 'provider'`,
  ],
  ['search shows each listing as catalog has it', `update search.listings set title = 'Another'`],
  [
    'the document of each listing in search has the values of its columns',
    `update search.listings set body = body || '{"title": "Another"}'`,
  ],
  ['search shows each listing’s views', 'update catalog.listing_view_counts set view_count = view_count + 1'],
  ['search finds the active listings by their words, and no others', 'delete from search.listing_words'],
  ['search stores every word of its listings', 'delete from search.lexemes'],
  [
    'search keeps beside its words a listing’s age, price and filters',
    'update search.listing_words set price_cents = price_cents + 1',
  ],
  [
    'search keeps beside its words a listing’s age, price and filters',
    'update search.listing_words set is_free = not is_free',
  ],
  [
    'search counts for each filter the listings that it shows',
    `with counted as (
       insert into search.facet_recounts (counted_at) values (now() + interval '1 hour')
       on conflict (is_only) do update set counted_at = excluded.counted_at
     ) insert into search.facet_counts values ('nowhere', 'new', false, false, 1)`,
  ],
  ['search shows each auction’s current bid', 'update search.bids set amount_cents = amount_cents - 1'],
  ['catalog has each auction’s newest bid and end', 'update catalog.auction_states set bid_count = bid_count + 1'],
  ['an auction is catalog’s listing, on the same terms', 'update auction.auctions set shipping = shipping + 1'],
  ['auction has each listing with a fixed price', 'delete from auction.fixed_price_listings'],
  [
    'every uploaded picture of a listing is ready, its seller’s and in use',
    `update catalog.listings set pictures = jsonb_build_array(jsonb_build_object('key', gen_random_uuid() || '-0123456789abcdef'))`,
  ],
  [
    'the references of a listing are those of its pictures, in order',
    `update catalog.listings set pictures = '[{"url": "https://another.example/a.jpg", "alt": null}]'`,
  ],
  [
    'every use of a picture has its listing or a revision of it',
    'insert into catalog.picture_uses (picture_id, listing_id) select gen_random_uuid(), id from catalog.listings limit 1',
  ],
  [
    'a picture is unused exactly while it is ready and no listing uses it',
    insertPicture(readyColumns, `${ready}, null`),
  ],
  ['every ready picture has the four bands of its hash', insertPicture(readyColumns, `${ready}, clock_timestamp()`)],
  [
    'no picture waits for a day, and none that failed is kept for longer',
    insertPicture('state, created_at, next_at', `'announced', now() - interval '2 days', now() - interval '2 hours'`),
  ],
  ['search shows the pictures of each listing', `update search.listings set body = body || '{"pictures": []}'`],
  ['no event is left unsent', 'update payments.outbox set published_at = null'],
  [
    'no event is parked',
    `insert into search.parked (consumer, event_id, event, error) values ('listings', gen_random_uuid(), '{}', 'not readable')`,
  ],
  [
    'each bid has its event, and each of those events its bid',
    `delete from auction.outbox where type like '%.BidPlaced'`,
  ],
  ['each bid has its event, and each of those events its bid', 'delete from auction.bids'],
  ['each sale that ended has its event', 'delete from payments.outbox'],
  ['each version of a listing has its event', 'update catalog.listings set version = version + 1'],
  ['each outbox row with published_at is in the event log', 'delete from bus.events'],
  ['every consumer group has read every event', 'update bus.parts set position = position + 1'],
  [
    'the ledger equals the provider’s record',
    `update payments.entries set amount = amount + 1 where account = 'provider'`,
  ],
  ['the ledger equals the provider’s record', 'truncate payments.entries'],
  [
    'at most one charge per listing that is not refunded',
    `update payments.transactions set listing_id = (select listing_id from payments.transactions where state = 'paid' limit 1)`,
  ],
  [
    'a charge has its sale, paid or to be given back',
    `update payments.transactions set state = 'payable' where state = 'paid'`,
  ],
  ['a charge has its sale, paid or to be given back', 'update payments.transactions set intent_id = null'],
  [
    'what was released cannot be paid any more',
    `update payments.transactions set intent_id = $1 where id = (select id from payments.transactions where state = 'released' limit 1)`,
  ],
  ['no acknowledged write is lost', 'delete from catalog.listings'],
  ['no acknowledged write is lost', 'delete from auction.bids'],
  ['no acknowledged write is lost', 'delete from catalog.offers'],
  ['no acknowledged write is lost', 'delete from messaging.messages'],
  ['no acknowledged write is lost', `update payments.transactions set state = 'payable' where state = 'paid'`],
  // The sale of a payment that arrived after release is refunded.
  [
    'no acknowledged write is lost',
    `update payments.transactions set state = 'payable' where state in ('released', 'refunded')`,
  ],
  ['an intent whose secret was sent is stored with its sale', 'update payments.transactions set intent_id = null'],
  [
    'unread_count = unread messages',
    'update messaging.messages set read_at = case when read_at is null then clock_timestamp() end',
  ],
]
