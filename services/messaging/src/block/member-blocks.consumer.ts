import { latestBlockChanges } from '@marketplace/contracts/block-changes.ts'
import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { saveBlockChanges } from '@marketplace/kit/blocks/block-projection.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { MessagingTables } from '../db.ts'
import { deleteUnansweredBetween } from '../reply-time/replies.repo.ts'
import { lockPairs, type Pair } from './blocks.repo.ts'

/**
 * Stores who has blocked whom, so that messages between the two members can be rejected. Deletes the unanswered messages
 * between the two from the reply times, because a blocked seller cannot answer them.
 */
export const memberBlocksConsumer = consumer<MessagingTables>(
  'member-blocks',
  [topics.users],
  [
    onAll(BlockChangedSchema, async (trx, events) => {
      const changes = latestBlockChanges(events)
      // Every block counts, even if a later event of the same batch ends it.
      const pairs = events
        .filter(({ isBlocked }) => isBlocked)
        .map(({ blockerId, blockedId }): Pair => [blockerId, blockedId])
      await lockPairs(trx, pairs)
      await saveBlockChanges(trx, changes)
      await deleteUnansweredBetween(trx, pairs)
    }),
  ],
)
