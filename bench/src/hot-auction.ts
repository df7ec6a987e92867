import { newId } from '@marketplace/kit/ids.ts'
import type pg from 'pg'

/** A pool's auction that is open for a day, from $10.00. */
export async function openAuction(admin: pg.Pool): Promise<string> {
  const listingId = newId()
  await admin.query(
    `insert into auctions (listing_id, seller_id, title, image_url, starting_bid, shipping, end_at)
     values ($1, $2, 'A watch', 'https://pictures.example/watch.jpg', 1000, 450, clock_timestamp() + interval '1 day')`,
    [listingId, newId()],
  )
  return listingId
}

/** No figure without its rows: as many bids and events as were answered as placed. */
export async function checkBooks(admin: pg.Pool, listingId: string, answered: number): Promise<void> {
  const { rows } = await admin.query(
    `select (select bid_count from auctions where listing_id = $1) as counted,
       (select count(*)::int from bids where listing_id = $1) as bids,
       (select count(*)::int from outbox where key = $2) as events`,
    [listingId, listingId],
  )
  const { counted, bids, events } = rows[0]
  if (counted !== answered || bids !== answered || events !== answered)
    throw new Error(`${answered} bids answered, but ${counted} counted, ${bids} rows, ${events} events.`)
}
