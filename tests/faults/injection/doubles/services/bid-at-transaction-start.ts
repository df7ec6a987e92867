import { lockAuction as lock, type LockedAuction } from '../../../../../services/auction/src/auction/auctions.repo.ts'
import type { Trx } from '../../../../../services/auction/src/db.ts'

export * from '../../../../../services/auction/src/auction/auctions.repo.ts'

/** Returns the start of the transaction, which can be long before it got the lock. */
export async function lockAuction(trx: Trx, listingId: string): Promise<LockedAuction> {
  const { auction } = await lock(trx, listingId)
  const { now } = await trx.selectNoFrom(({ fn }) => fn<Date>('now').as('now')).executeTakeFirstOrThrow()
  return { auction, now }
}
