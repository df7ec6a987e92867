import type { ServiceSettings } from '@marketplace/kit/config.ts'
import { createService, openResources, type Service } from '@marketplace/kit/service.ts'
import { browseRoutes } from './browse/browse.routes.ts'
import type { SearchTables } from './db.ts'
import { listingIndex } from './listing/listings.events.ts'

export function createSearchService(settings: ServiceSettings): Service {
  const resources = openResources<SearchTables>('search', settings)
  return createService(resources, { routes: browseRoutes({ db: resources.db }), consumers: [listingIndex] })
}
