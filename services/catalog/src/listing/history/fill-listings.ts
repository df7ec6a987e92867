import { transaction } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Db } from '../../db.ts'
import { listingChanged } from '../listings.events.ts'
import { findListingsById } from '../listings.repo.ts'
import { fillRows, insertFirstPrices, insertFirstRevisions, lockUnfilled } from './unfilled.repo.ts'

/**
 * Fills the columns and stores the first revision and price of a batch of listings that an earlier version of the
 * service wrote. Publishes those that are reserved, because others see no difference. Returns the number of listings.
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
