import { assertNoOpenPayments, type PersonalData } from '@marketplace/kit/personal-data/tasks.ts'
import type { AuctionTables } from '../db.ts'
import {
  anonymizeAuctions,
  anonymizeBids,
  collectAuctionData,
  countOpenPayments,
  deleteBidderRecords,
  lockUserAuctions,
} from './personal-data.repo.ts'

/**
 * Exports and erases a user's auctions, bids and strikes. Erasure removes titles, images, names and strikes, but keeps
 * the amounts and the order of bids.
 */
export const personalData: PersonalData<AuctionTables> = {
  async findOpenPayments(trx, userId) {
    const { runningAuctions, leadingAuctions, unpaidHolds } = await countOpenPayments(trx, userId)
    return [
      ...(runningAuctions > 0 ? [`Auctions by this user that have not closed: ${runningAuctions}.`] : []),
      ...(leadingAuctions > 0 ? [`Auctions led by this user that have not closed: ${leadingAuctions}.`] : []),
      ...(unpaidHolds > 0 ? [`Unpaid sales with this user as buyer or seller: ${unpaidHolds}.`] : []),
    ]
  },
  collect: collectAuctionData,
  async erase(trx, userId) {
    await lockUserAuctions(trx, userId)
    await assertNoOpenPayments(trx, personalData, userId)
    return {
      bids: await anonymizeBids(trx, userId),
      auctions: await anonymizeAuctions(trx, userId),
      bidderRecords: await deleteBidderRecords(trx, userId),
    }
  },
}
