import { deleteBlocksOfMember } from '@marketplace/kit/blocks/block-projection.ts'
import { databaseTime } from '@marketplace/kit/db/db.ts'
import { publishAll } from '@marketplace/kit/events/outbox.ts'
import { assertNoOpenPayments, type PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import type { CatalogTables, Trx } from '../db.ts'
import { listingChanged } from '../listing/listings.events.ts'
import { findAllSellerListings } from '../listing/seller-listings.repo.ts'
import { viewerIdOfUser } from '../view/viewer.ts'
import {
  anonymizeListings,
  eraseOtherData,
  erasePictures,
  collectCatalogData,
  countOpenPayments,
  lockListingsOfSeller,
} from './personal-data.repo.ts'

/**
 * Exports and erases a user's listings, pictures, offers, watchlist and views. Erasure removes all texts but keeps the
 * prices of sold items.
 */
export const personalData: PersonalData<CatalogTables> = {
  async findOpenPayments(trx, userId) {
    const { heldItems, pendingOffers } = await countOpenPayments(trx, userId)
    return [
      ...(heldItems > 0 ? [`Items held for a sale with this user: ${heldItems}.`] : []),
      ...(pendingOffers > 0 ? [`Pending offers of this user: ${pendingOffers}.`] : []),
    ]
  },
  collect: collectCatalogData,
  async erase(trx, userId) {
    // Prevents buyers from placing holds on the user's listings during the erasure.
    await lockListingsOfSeller(trx, userId)
    await assertNoOpenPayments(trx, personalData, userId)
    return {
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
