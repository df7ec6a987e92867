import { gauge, type Reading } from '@marketplace/kit/metrics.ts'
import type { Context } from '../context.ts'
import { countOverdue } from './auctions.repo.ts'

const overdue = gauge('auction_overdue_auctions', 'Auctions that are still open 5 s after their end.')

/** What an operator wants to know of the closing of auctions. */
export function auctionReadings({ db }: Pick<Context, 'db'>): Reading[] {
  return [{ name: 'overdue auctions', read: async () => overdue.set(await countOverdue(db)) }]
}
