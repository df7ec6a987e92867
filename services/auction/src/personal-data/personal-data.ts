import { refuseMoneyInFlight, type PersonalData } from '@marketplace/kit/personal-data-tasks.ts'
import type { AuctionTables } from '../db.ts'
import {
  blankAuctionsOf,
  blankBidsOf,
  collectAuctionData,
  countInFlight,
  lockAuctionsOf,
} from './personal-data.repo.ts'

/** What auction knows of a person: the auctions they held and the bids they made. Amounts and order stay. */
export const personalData: PersonalData<AuctionTables> = {
  async findMoneyInFlight(trx, userId) {
    const { running, leading, unpaid } = await countInFlight(trx, userId)
    return [
      ...(running > 0 ? [`Auctions of theirs are not over: ${running}.`] : []),
      ...(leading > 0 ? [`They lead auctions that are not over: ${leading}.`] : []),
      ...(unpaid > 0 ? [`Items are held for them to pay: ${unpaid}.`] : []),
    ]
  },
  collect: collectAuctionData,
  async erase(trx, userId) {
    await lockAuctionsOf(trx, userId)
    await refuseMoneyInFlight(trx, personalData, userId)
    return { bids: await blankBidsOf(trx, userId), auctions: await blankAuctionsOf(trx, userId) }
  },
}
