import type { Client } from '@connectrpc/connect'
import type { Auction, AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { TtlCache } from '@marketplace/kit/cache/ttl-cache.ts'
import type { CoalescedReads } from '@marketplace/kit/cache/coalesce.ts'
import type { CatalogSettings } from './config.ts'
import type { Db } from './db.ts'
import type { PictureStore } from './picture/store/picture-store.ts'
import type { ViewBuffer } from './view/view-buffer.ts'

/** Dependencies of the use cases. */
export interface Context {
  db: Db
  settings: CatalogSettings
  auctions: Client<typeof AuctionService>
  /** Reads the current states of open auctions from the auction service, with one call for concurrent reads. */
  liveAuctions: CoalescedReads<Auction>
  /** Cache of names by user id. */
  userNames: TtlCache<string>
  viewBuffer: ViewBuffer
  store: PictureStore
}
