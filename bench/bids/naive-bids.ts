import { newId } from '@marketplace/kit/values/ids.ts'
import type pg from 'pg'

export interface PlainBid {
  listingId: string
  bidderId: string
  /** The amount for the service. The other forms bid one cent above the price they read, so that no bid is rejected. */
  amount: number
}

/** Places a bid and returns whether it leads. All forms write the same rows, including the event. */
export type PlaceBid = (bid: PlainBid) => Promise<boolean>

/** The usual form: lock the row, evaluate, write and commit, on one connection per bid. */
export function openRowLock(pool: pg.Pool): PlaceBid {
  return async ({ listingId, bidderId }) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query(statements.lock, [listingId])
      const [{ number, price }] = rows
      const id = newId()
      const bid = { id, listingId, bidderId, amount: price + 1 }
      await client.query(statements.bid, [id, listingId, number + 1, bid.amount, bidderId])
      await client.query(statements.lead, [listingId, id, bidderId, bid.amount, number + 1])
      await client.query(statements.event, [newId(), listingId, number + 1, JSON.stringify(bid)])
      await client.query('commit')
      return true
    } finally {
      client.release()
    }
  }
}

/** The lower bound: one statement, which is its own transaction. */
export function openOneStatement(pool: pg.Pool): PlaceBid {
  return async ({ listingId, bidderId }) => {
    const id = newId()
    const values = [listingId, id, bidderId, newId(), JSON.stringify({ id, listingId, bidderId })]
    const { rowCount } = await pool.query({ name: 'one-statement', text: statements.all, values })
    return rowCount === 1
  }
}

const statements = {
  lock: `select number, coalesce(current_bid, starting_bid) as price from auctions
    where listing_id = $1 and state = 'open' and end_at > clock_timestamp() for update`,
  bid: `insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
    values ($1, $2, $3, $4, $5, 'A***z', clock_timestamp())`,
  lead: `update auctions set leading_bid_id = $2, leader_id = $3, current_bid = $4, bid_count = bid_count + 1, number = $5
    where listing_id = $1`,
  event: `insert into outbox (id, topic, key, type, version, payload)
    values ($1, 'marketplace.auction.v1', $2, 'marketplace.auction.v1.BidPlaced', $3, $4)`,
  all: `with led as (
      update auctions set leading_bid_id = $2, leader_id = $3, current_bid = coalesce(current_bid, starting_bid) + 1,
        bid_count = bid_count + 1, number = number + 1
      where listing_id = $1 and state = 'open' and end_at > clock_timestamp()
      returning number, current_bid
    ), event as (
      insert into outbox (id, topic, key, type, version, payload)
      select $4, 'marketplace.auction.v1', $1::uuid, 'marketplace.auction.v1.BidPlaced', number, $5 from led
    )
    insert into bids (id, listing_id, number, amount, bidder_id, masked_bidder, placed_at)
    select $2, $1, number, current_bid, $3, 'A***z', clock_timestamp() from led`,
}
