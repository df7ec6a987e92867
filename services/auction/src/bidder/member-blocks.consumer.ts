import { latestBlockChanges } from '@marketplace/contracts/block-changes.ts'
import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { AuctionTables } from '../db.ts'
import { saveBlockChanges } from './blocked-bidders.repo.ts'

/** Bars blocked members from bidding on and buying the blocker's items. */
export const memberBlocksConsumer = consumer<AuctionTables>(
  'member-blocks',
  [topics.users],
  [onAll(BlockChangedSchema, (trx, events) => saveBlockChanges(trx, latestBlockChanges(events)))],
)
