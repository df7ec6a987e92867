import { databaseTime } from '@marketplace/kit/db.ts'
import { publishAll } from '@marketplace/kit/outbox.ts'
import { refuseMoneyInFlight, type PersonalData } from '@marketplace/kit/personal-data-tasks.ts'
import type { CatalogTables, Trx } from '../db.ts'
import { listingChanged } from '../listing/listings.events.ts'
import { readListingsOf } from '../listing/listings.repo.ts'
import { viewerOfUser } from '../view/viewer.ts'
import { blankListingsOf, blankRest, collectCatalogData, countInFlight, lockListingsOf } from './personal-data.repo.ts'

/** What catalog knows of a person: listings, offers, watchlist and views. What they sold keeps its price, not its words. */
export const personalData: PersonalData<CatalogTables> = {
  async findMoneyInFlight(trx, userId) {
    const { held, offers } = await countInFlight(trx, userId)
    return [
      ...(held > 0 ? [`Items are held for a sale of theirs: ${held}.`] : []),
      ...(offers > 0 ? [`Offers wait for an answer: ${offers}.`] : []),
    ]
  },
  collect: collectCatalogData,
  async erase(trx, userId) {
    // Whoever wants to hold one of their items waits from here on.
    await lockListingsOf(trx, userId)
    await refuseMoneyInFlight(trx, personalData, userId)
    return { listings: await eraseListings(trx, userId), ...(await blankRest(trx, userId, viewerOfUser(userId))) }
  },
}

async function eraseListings(trx: Trx, sellerId: string): Promise<number> {
  await blankListingsOf(trx, sellerId, await databaseTime(trx))
  const listings = await readListingsOf(trx, sellerId)
  await publishAll(
    trx,
    listings.map(({ listing }) => listingChanged(listing)),
  )
  return listings.length
}
