// `npm run rebuild -w services/search`: rebuilds the search index from the catalog and auction services while the
// search service keeps running.
import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import { readRebuildConfig } from './config.ts'
import type { SearchTables } from './db.ts'
import { rebuildIndex } from './rebuild/rebuild-index.ts'

const settings = readRebuildConfig()
const log = openLog('search', settings.LOG_LEVEL)
const db = openDatabase<SearchTables>(settings.DATABASE_URL, (error) =>
  log.warn({ err: error }, 'database connection lost'),
)
const { synced, deleted } = await rebuildIndex(db, {
  catalog: rpcClient(CatalogService, settings.CATALOG_INTERNAL_URL, settings.INTERNAL_SECRET),
  auctions: rpcClient(AuctionService, settings.AUCTION_INTERNAL_URL, settings.INTERNAL_SECRET),
  listingsTimeoutMs: settings.LISTINGS_TIMEOUT_MS,
  auctionsTimeoutMs: settings.AUCTIONS_TIMEOUT_MS,
  retryTimeoutMs: settings.RETRY_TIMEOUT_MS,
})
await db.destroy()
log.info({ synced, deleted }, 'index rebuilt')
process.exit(0)
