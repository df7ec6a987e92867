import { lockAuction as lock, type LockedAuction } from '../../../../../services/auction/src/auction/auctions.repo.ts'

export * from '../../../../../services/auction/src/auction/auctions.repo.ts'

const behindMs = 2500

/** Returns the time of this process, which is behind the database's. */
export async function lockAuction(...args: Parameters<typeof lock>): Promise<LockedAuction> {
  const { auction } = await lock(...args)
  return { auction, now: new Date(Date.now() - behindMs) }
}
