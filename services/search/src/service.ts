import type { ServiceSettings } from '@marketplace/kit/config.ts'
import { createService, openResources, type Service } from '@marketplace/kit/service.ts'
import { browseRoutes } from './browse/browse.routes.ts'
import type { SearchTables } from './db.ts'
import { historyRoutes } from './history/history.routes.ts'
import { listingIndex } from './listing/listings.events.ts'
import { suggestionsRoutes } from './suggestion/suggestions.routes.ts'
import { forgetOldCounts } from './trending/counts.repo.ts'
import { postgresTrending } from './trending/postgres-trending.ts'
import { trendingRoutes } from './trending/trending.routes.ts'

export function createSearchService(settings: ServiceSettings): Service {
  const resources = openResources<SearchTables>('search', settings)
  const { db } = resources
  const ctx = { db, trending: postgresTrending(db) }
  return createService(resources, {
    routes: (app) => {
      for (const routes of [browseRoutes, historyRoutes, suggestionsRoutes, trendingRoutes]) routes(ctx)(app)
    },
    consumers: [listingIndex],
    sweeps: [{ name: 'old search counts', everyMs: 60_000, sweep: () => forgetOldCounts(db) }],
  })
}
