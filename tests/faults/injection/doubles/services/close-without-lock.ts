import type { Auction } from '../../../../../services/auction/src/auction/auction.ts'
import { findAuctions } from '../../../../../services/auction/src/auction/auctions.repo.ts'
import type { Trx } from '../../../../../services/auction/src/db.ts'

export * from '../../../../../services/auction/src/auction/auctions.repo.ts'

/** Reads the auctions whose end has passed, including those that another transaction has locked. */
export async function lockDueAuctions(trx: Trx): Promise<Auction[]> {
  const open = await trx.selectFrom('auctions').select('listing_id').where('state', '=', 'open').execute()
  const found = await findAuctions(
    trx,
    open.map(({ listing_id: id }) => id),
  )
  return found.filter(({ state, isOpen }) => state === 'open' && !isOpen)
}
