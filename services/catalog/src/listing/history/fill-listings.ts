import { transaction } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Db } from '../../db.ts'
import { listingChanged } from '../listings.events.ts'
import { findListingsById } from '../listings.repo.ts'
import { fillRows, insertFirstPrices, insertFirstRevisions, lockUnfilled } from './unfilled.repo.ts'

/**
 * Adds the data that an earlier version of this service did not store or publish, for a batch of listings. Returns the
 * batch size.
 */
export function fillListings(db: Db): Promise<number> {
  return transaction(db, async (trx) => {
    const ids = await lockUnfilled(trx)
    if (ids.length === 0) return 0
    const reserved = await fillRows(trx, ids)
    await insertFirstRevisions(trx, ids)
    await insertFirstPrices(trx, ids)
    await publishAll(trx, (await findListingsById(trx, reserved)).map(listingChanged))
    return ids.length
  })
}
