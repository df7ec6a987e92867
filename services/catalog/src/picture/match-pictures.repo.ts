import { sql } from 'kysely'
import type { Db } from '../db.ts'

// Maximum number of bits in which the hashes of matching pictures differ, for example after compression or scaling.
const maxDistance = 3
const batch = 100

/**
 * Flags newly ready pictures that match pictures in other users' active listings, and returns how many were compared.
 * Matching hashes have at least one of their four 16-bit parts (bands) in common.
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
