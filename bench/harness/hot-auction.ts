import { newId } from '@marketplace/kit/values/ids.ts'
import type pg from 'pg'

/** Opens an auction for a day, from $10.00, and returns its id. */
export async function openAuction(admin: pg.Pool): Promise<string> {
  const listingId = newId()
  await admin.query(
    `insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
     values ($1, $2, 'A watch', 'https://pictures.example/watch.jpg', 1000, 450, clock_timestamp() + interval '1 day')`,
    [listingId, newId()],
  )
  return listingId
}

/** Throws unless the auction has as many bids and events as were acknowledged. */
export async function expectBidRows(admin: pg.Pool, listingId: string, acknowledged: number): Promise<void> {
  const { rows } = await admin.query(
    `select (select bid_count from auctions where listing_id = $1) as counted,
       (select count(*)::int from bids where listing_id = $1) as bids,
       (select count(*)::int from outbox where key = $2) as events`,
    [listingId, listingId],
  )
  const { counted, bids, events } = rows[0]
  if (counted !== acknowledged || bids !== acknowledged || events !== acknowledged)
    throw new Error(`${acknowledged} bids acknowledged, but ${counted} counted, ${bids} rows, ${events} events.`)
}
