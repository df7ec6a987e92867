import { deleteBlocksOfMember } from '@marketplace/kit/blocks/block-projection.ts'
import { databaseTime } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import { assertNoOpenPayments, type PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import type { CatalogTables, Trx } from '../db.ts'
import { listingChanged } from '../listing/listings.events.ts'
import { findAllSellerListings } from '../listing/seller-listings.repo.ts'
import { closePendingOffers } from '../offer/offers.repo.ts'
import { viewerIdOfUser } from '../view/viewer.ts'
import {
  anonymizeListings,
  eraseOtherData,
  erasePictures,
  collectCatalogData,
  countHeldItems,
  lockListingsOfSeller,
} from './personal-data.repo.ts'

/**
 * Exports and erases a user's listings, pictures, offers, watchlist and views. Erasure removes all texts but keeps the
 * prices of sold items.
 */
export const personalData: PersonalData<CatalogTables> = {
  async findOpenPayments(trx, userId) {
    const heldItems = await countHeldItems(trx, userId)
    return heldItems > 0 ? [`Items held for a sale with this user: ${heldItems}.`] : []
  },
  collect: collectCatalogData,
  async erase(trx, userId) {
    // Prevents buyers from placing holds and offers on the user's listings during the erasure.
    await lockListingsOfSeller(trx, userId)
    // The update waits for offers that are being accepted. Their holds are therefore visible to the check that follows.
    const pendingOffers = await closePendingOffers(trx, userId)
    await assertNoOpenPayments(trx, personalData, userId)
    return {
      'pending offers': pendingOffers,
      listings: await eraseListings(trx, userId),
      pictures: await erasePictures(trx, userId),
      blocks: await deleteBlocksOfMember(trx, userId),
      ...(await eraseOtherData(trx, userId, viewerIdOfUser(userId))),
    }
  },
}

async function eraseListings(trx: Trx, sellerId: string): Promise<number> {
  await anonymizeListings(trx, sellerId, await databaseTime(trx))
  const listings = await findAllSellerListings(trx, sellerId)
  await publishAll(trx, listings.map(listingChanged))
  return listings.length
}
