import { databaseTime, transaction } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import type { Db } from '../../db.ts'
import { listingChanged } from '../listings.events.ts'
import { lockListings } from '../listings.repo.ts'
import { endSales, findOldProvenSales } from './proven-sales.repo.ts'
import { changed } from '../life/status.ts'

/**
 * Ends discounts that began more than 60 days ago, if their crossed-out price comes from the price history and not from
 * the seller. Returns the number of ended discounts.
 */
export function endProvenSales(db: Db): Promise<number> {
  return transaction(db, async (trx) => {
    const listings = await lockListings(trx, await findOldProvenSales(trx))
    if (listings.length === 0) return 0
    const now = await databaseTime(trx)
    const over = { isOnSale: false, originalPrice: null, originalPriceKind: null }
    const ended = listings
      .filter(({ originalPriceKind }) => originalPriceKind === 'proven')
      .map((listing) => changed(listing, over, now))
    await endSales(trx, ended)
    await publishAll(trx, ended.map(listingChanged))
    return ended.length
  })
}
