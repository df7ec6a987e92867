import { takePart } from '@marketplace/kit/personal-data.ts'
import { createService, openResources, type Service } from '@marketplace/kit/service.ts'
import { browseRoutes } from './browse/browse.routes.ts'
import type { SearchSettings } from './config.ts'
import type { SearchTables } from './db.ts'
import { forgetOldSearches } from './history/searches.repo.ts'
import { historyRoutes } from './history/history.routes.ts'
import { listingIndex } from './listing/listings.events.ts'
import { personalData } from './personal-data/personal-data.ts'
import { suggestionsRoutes } from './suggestion/suggestions.routes.ts'
import { forgetOldCounts } from './trending/counts.repo.ts'
import { openTrending } from './trending/open-trending.ts'
import { trendingRoutes } from './trending/trending.routes.ts'

// Every search has its index, and reading a table from its beginning would meet what is long gone. What a common word finds
// is to fit into memory, and its pages to be fetched one by one without fear. Another process costs more than it helps.
const postgres = {
  enable_seqscan: 'off',
  work_mem: '16MB',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
}

export function createSearchService(settings: SearchSettings): Service {
  const resources = openResources<SearchTables>('search', settings, postgres)
  const { db, log } = resources
  const trending = openTrending(settings.REDIS_URL, db, log)
  const ctx = { db, trending: trending.store }
  const part = takePart(resources, personalData)
  const service = createService(resources, {
    routes: (app) => {
      for (const routes of [browseRoutes, historyRoutes, suggestionsRoutes, trendingRoutes]) routes(ctx)(app)
    },
    consumers: [listingIndex, part.consumer],
    sweeps: [
      part.sweep,
      { name: 'old search counts', everyMs: settings.SWEEP_SEARCHES_MS, sweep: () => forgetOldCounts(db) },
      {
        name: 'old searches',
        everyMs: settings.SWEEP_SEARCHES_MS,
        sweep: () => forgetOldSearches(db, settings.KEEP_SEARCHES_MS),
      },
    ],
  })
  const stop = async () => {
    await service.stop()
    trending.close()
  }
  return { ...service, stop }
}
