import { sql } from 'kysely'
import type { Db } from '../db.ts'

// Maximum number of bits in which the hashes of matching pictures differ. Compressing or scaling a photo changes a few
// bits.
const maxDistance = 3
const batch = 100

/**
 * Compares newly ready pictures with pictures in active listings of other users, and flags the new pictures that match.
 * Each perceptual hash is split into four bands. Hashes that differ in at most 3 bits have at least one equal band, so
 * a lookup by band finds all candidates. Returns the number of compared pictures.
 */
export async function flagMatchingPictures(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    with due as (
      select id, uploader_id, phash from pictures where state = 'ready' and next_at <= statement_timestamp()
      order by next_at limit ${batch} for update skip locked
    ), matching as (
      select distinct due.id from due
      join picture_bands as own on own.picture_id = due.id
      join picture_bands as band using (band, bits)
      join pictures as other on other.id = band.picture_id and other.state = 'ready'
      join picture_uses as used on used.picture_id = other.id
      join listings on listings.id = used.listing_id and listings.is_active
      where other.uploader_id <> due.uploader_id and bit_count(other.phash # due.phash) <= ${maxDistance}
    )
    update pictures set next_at = null, is_flagged = is_flagged or id in (select id from matching)
    where id in (select id from due)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
