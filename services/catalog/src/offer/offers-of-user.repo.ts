import { instantText, isAfter, type TimePosition } from '@marketplace/kit/db/time-order.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db, OfferRow } from '../db.ts'
import type { Offer, OfferSide, OfferStatus } from './offer.ts'
import { toOffer, type JoinedOfferRow } from './offers.repo.ts'

export interface OffersQuery {
  userId: string
  listingId: string | null
  status: OfferStatus | null
  madeBy: OfferSide | null
  /** True selects offers made by the other person, false selects offers made by the user, null selects all offers. */
  isReceived: boolean | null
  after: TimePosition | null
  /** Maximum number of rows. */
  limit: number
}

export interface ListedOffer {
  offer: Offer
  /** The listing's main picture, a string built by `pictureReference`; null if the listing has no picture. */
  picture: string | null
  position: TimePosition
  /** The database's time of this read. */
  readAt: Date
}

/** Returns at most `limit` offers in which the user is the buyer or the seller, newest first. */
export async function findOffersOfUser(db: Db, query: OffersQuery): Promise<ListedOffer[]> {
  const { rows } = await sql<JoinedOfferRow & { picture: string | null; at: string; read_at: Date }>`
    select found.*, listings.title as listing_title, listings.image_urls::json ->> 0 as picture,
      listings.shipping_cents as listing_shipping_cents, ${instantText('found.created_at')} as at,
      statement_timestamp() as read_at
    from (
      (${offersWhere('buyer', query)}) union all (${offersWhere('seller', query)})
      order by created_at desc, id desc limit ${query.limit}
    ) as found join listings on listings.id = found.listing_id
    order by found.created_at desc, found.id desc`.execute(db)
  return rows.map((row) => ({
    offer: toOffer(row),
    picture: row.picture,
    position: { at: row.at, id: row.id },
    readAt: row.read_at,
  }))
}

function offersWhere(side: OfferSide, query: OffersQuery): RawBuilder<OfferRow> {
  const { userId, listingId, madeBy, isReceived, after, limit } = query
  const conditions = [
    sql`${sql.ref(`${side}_id`)} = ${userId}`,
    isAfter(['created_at', 'id'], after),
    ...(listingId === null ? [] : [sql`listing_id = ${listingId}`]),
    ...(madeBy === null ? [] : [sql`made_by = ${madeBy}`]),
    ...(isReceived === null ? [] : [sql`(made_by <> ${side}) = ${isReceived}`]),
    ...(query.status === null ? [] : [hasStatus[query.status]]),
  ]
  return sql`
    select * from offers where ${sql.join(conditions, sql` and `)}
    order by created_at desc, id desc limit ${limit}`
}

// A pending offer that has expired counts as withdrawn. The statuses are SQL literals instead of parameters, so that
// Postgres can use the partial indexes of pending offers.
const hasStatus: Record<OfferStatus, RawBuilder<unknown>> = {
  pending: sql`status = 'pending' and expires_at > statement_timestamp()`,
  accepted: sql`status = 'accepted'`,
  rejected: sql`status = 'rejected'`,
  withdrawn: sql`(status = 'withdrawn' or (status = 'pending' and expires_at <= statement_timestamp()))`,
}
