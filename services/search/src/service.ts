import { openBus } from '@marketplace/bus/open-bus.ts'
import { createPersonalDataParticipant } from '@marketplace/kit/personal-data/personal-data.ts'
import { createService, openResources, type Service } from '@marketplace/kit/app/service.ts'
import type { Sweep } from '@marketplace/kit/jobs/sweeper.ts'
import { browseRoutes } from './browse/browse.routes.ts'
import { createFindListings } from './browse/find-listings.ts'
import type { SearchSettings } from './config.ts'
import type { Db, SearchTables } from './db.ts'
import { deleteExcessSearches, deleteExpiredAddressCounts, deleteExpiredSearches } from './history/searches.repo.ts'
import { createEstimateMatches } from './estimate/estimate-matches.ts'
import { facetsRoutes } from './facets/facets.routes.ts'
import { createFacetRecount } from './facets/recount-facets.ts'
import { historyRoutes } from './history/history.routes.ts'
import { listingIndex } from './listing/listing-index.consumer.ts'
import { createAreFiltersReady, createFilterBackfill } from './listing/backfill-filters.ts'
import { createWordSweep } from './listing/sweep-words.ts'
import { createReadPlaces } from './location/read-places.ts'
import { personalData } from './personal-data/personal-data.ts'
import { createReadExpansions } from './synonyms/read-expansions.ts'
import { recoveryRoutes } from './recovery/recovery.routes.ts'
import { similarRoutes } from './similar/similar.routes.ts'
import { suggestionsRoutes } from './suggestion/suggestions.routes.ts'
import { deleteExpiredCounts } from './trending/counts.repo.ts'
import { openTrending } from './trending/open-trending.ts'
import { visibleTrending } from './trending/visible-trending.ts'
import { trendingRoutes } from './trending/trending.routes.ts'

const postgres = {
  // Disables sequential scans, which would also read all ended listings; every query can use an index instead.
  enable_seqscan: 'off',
  // Enough memory for the matches of a common word.
  work_mem: '16MB',
  // Words with at least this trigram similarity are candidates for the correction of a misspelled word
  // (corrections.repo.ts).
  'pg_trgm.similarity_threshold': '0.2',
  // By default, Postgres assumes that a random read costs four times as much as a sequential one. Here both cost about
  // the same, because the data is cached or on SSD.
  random_page_cost: '1.1',
  // Starting a parallel worker costs more than it saves on queries of a few milliseconds.
  max_parallel_workers_per_gather: '0',
}

export function createSearchService(settings: SearchSettings): Service {
  const resources = openResources<SearchTables>('search', settings, postgres)
  const { db, log } = resources
  const trending = openTrending(settings.REDIS_URL, db, log)
  const ctx = {
    settings,
    db,
    trending: visibleTrending(db, trending.store),
    readExpansions: createReadExpansions(db),
    readPlaces: createReadPlaces(db),
    estimateMatches: createEstimateMatches(),
    findListings: createFindListings(db),
    areFiltersReady: createAreFiltersReady(db),
  }
  const personalDataParticipant = createPersonalDataParticipant(resources, personalData)
  const service = createService(resources, {
    openBus,
    routes: (app) => {
      for (const routes of [
        browseRoutes,
        facetsRoutes,
        recoveryRoutes,
        similarRoutes,
        historyRoutes,
        suggestionsRoutes,
        trendingRoutes,
      ])
        routes(app, ctx)
    },
    consumers: [listingIndex, personalDataParticipant.consumer],
    sweeps: [personalDataParticipant.sweep, ...createSweeps(db, settings)],
  })
  const stop = async () => {
    await service.stop()
    trending.close()
  }
  return { ...service, stop }
}

function createSweeps(db: Db, settings: SearchSettings): Sweep[] {
  const { SEARCH_SWEEP_INTERVAL_MS: intervalMs, SEARCH_HISTORY_RETENTION_MS: retentionMs } = settings
  return [
    { name: 'old search counts', intervalMs, sweep: () => deleteExpiredCounts(db) },
    { name: 'old counts of addresses', intervalMs, sweep: () => deleteExpiredAddressCounts(db) },
    { name: 'old searches', intervalMs, sweep: () => deleteExpiredSearches(db, retentionMs) },
    {
      name: 'excess searches of signed-out visitors',
      intervalMs,
      sweep: () => deleteExcessSearches(db, settings.MAX_SESSION_SEARCHES),
    },
    { name: 'unused words', intervalMs, sweep: createWordSweep(db) },
    { name: 'filter words', intervalMs, sweep: createFilterBackfill(db) },
    { name: 'counts of facets', intervalMs, sweep: createFacetRecount(db, intervalMs) },
  ]
}
