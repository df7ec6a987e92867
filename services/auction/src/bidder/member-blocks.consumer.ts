import { latestBlockChanges } from '@marketplace/contracts/block-changes.ts'
import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { AuctionTables } from '../db.ts'
import { saveBlockChanges } from './blocked-bidders.repo.ts'

/** Prevents blocked members from buying or bidding on items of the member who blocked them. */
export const memberBlocksConsumer = consumer<AuctionTables>(
  'member-blocks',
  [topics.users],
  [onAll(BlockChangedSchema, (trx, events) => saveBlockChanges(trx, latestBlockChanges(events)))],
)
