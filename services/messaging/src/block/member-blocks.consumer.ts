import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { applyBlocks } from '@marketplace/kit/blocks/block-projection.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { MessagingTables } from '../db.ts'
import { deleteUnansweredBetween } from '../reply-time/replies.repo.ts'

/**
 * Stores who has blocked whom, so that messages between the two members can be rejected. Deletes the unanswered messages
 * between the two from the reply times, because a blocked seller cannot answer them.
 */
export const memberBlocksConsumer = consumer<MessagingTables>(
  'member-blocks',
  [topics.users],
  [
    onAll(BlockChangedSchema, (trx, events) =>
      applyBlocks(trx, events, {
        service: 'messaging',
        onBlocked: (pairs) => deleteUnansweredBetween(trx, pairs),
      }),
    ),
  ],
)
