import { transaction } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Db } from '../../db.ts'
import { listingChanged } from '../listings.events.ts'
import { findListingsById } from '../listings.repo.ts'
import { fillRows, insertFirstPrices, insertFirstRevisions, lockUnfilled } from './unfilled.repo.ts'

/**
 * Fills the empty columns of a batch of listings from an earlier version of this service, adds their first revisions
 * and prices, and returns the batch size. Publishes reserved listings again, because earlier versions did not publish
 * the status `reserved`.
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
