import type { Client } from '@connectrpc/connect'
import type { Auction, AuctionService } from '@marketplace/contracts/gen/marketplace/auction/v1/auction_pb.ts'
import type { KeptAnswers } from '@marketplace/kit/kept.ts'
import type { CatalogSettings } from './config.ts'
import type { Db } from './db.ts'
import type { SharedCalls } from './auction/shared-calls.ts'
import type { ViewBuffer } from './view/view-buffer.ts'

export interface Context {
  db: Db
  settings: CatalogSettings
  auctions: Client<typeof AuctionService>
  liveAuctions: SharedCalls<Auction>
  names: KeptAnswers<string>
  views: ViewBuffer
}
