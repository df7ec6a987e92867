// `npm run rebuild -w services/search`: brings the index in line with its sources; lists are answered and events come meanwhile.
import { AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import { readRebuildConfig } from './config.ts'
import type { SearchTables } from './db.ts'
import { rebuildIndex } from './rebuild/rebuild-index.ts'

const settings = readRebuildConfig()
const log = openLog('search', settings.LOG_LEVEL)
const db = openDatabase<SearchTables>(settings.DATABASE_URL, (error) => log.warn({ err: error }, 'connection lost'))
const { told, dropped } = await rebuildIndex(db, {
  catalog: rpcClient(CatalogService, settings.CATALOG_INTERNAL_URL, settings.INTERNAL_SECRET),
  auctions: rpcClient(AuctionService, settings.AUCTION_INTERNAL_URL, settings.INTERNAL_SECRET),
  readListingsMs: settings.READ_LISTINGS_MS,
  readAuctionsMs: settings.READ_AUCTIONS_MS,
  patienceMs: settings.PATIENCE_MS,
})
await db.destroy()
log.info({ told, dropped }, 'the index is rebuilt')
process.exit(0)
