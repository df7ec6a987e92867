import { gauge, type MetricCollector } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../../context.ts'
import { countReserved } from '../listings.repo.ts'

const reserved = gauge('catalog_reserved_listings', 'Listings that are reserved for a buyer who has not paid yet.')

/** Returns the metric collectors for the statuses of listings. */
export function statusCollectors({ db }: Pick<Context, 'db'>): MetricCollector[] {
  return [{ name: 'reserved listings', collect: async () => reserved.set(await countReserved(db)) }]
}
