import { gauge, type MetricCollector } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../context.ts'
import { countOverdue } from './auctions.repo.ts'

const overdue = gauge('auction_overdue_auctions', 'Auctions that are still open 5 s after their end.')

/** Metrics that are read from the database at each scrape. */
export function auctionCollectors({ db }: Pick<Context, 'db'>): MetricCollector[] {
  return [{ name: 'overdue auctions', collect: async () => overdue.set(await countOverdue(db)) }]
}
