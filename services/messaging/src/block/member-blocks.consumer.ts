import { latestBlockChanges } from '@marketplace/contracts/block-changes.ts'
import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { saveBlockChanges } from '@marketplace/kit/blocks/block-projection.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { MessagingTables } from '../db.ts'

/** Stores who has blocked whom, so that messages between the two members can be rejected. */
export const memberBlocksConsumer = consumer<MessagingTables>(
  'member-blocks',
  [topics.users],
  [onAll(BlockChangedSchema, (trx, events) => saveBlockChanges(trx, latestBlockChanges(events)))],
)
