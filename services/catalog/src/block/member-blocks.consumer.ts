import { latestBlockChanges } from '@marketplace/contracts/block-changes.ts'
import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { saveBlockChanges } from '@marketplace/kit/blocks/block-projection.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { CatalogTables } from '../db.ts'
import { withdrawOffersBetween } from '../offer/offers.repo.ts'
import { lockPairs, type Pair } from './blocks.repo.ts'

/** Stores who has blocked whom, and withdraws the pending offers between a blocker and the blocked member. */
export const memberBlocksConsumer = consumer<CatalogTables>(
  'member-blocks',
  [topics.users],
  [
    onAll(BlockChangedSchema, async (trx, events) => {
      const changes = latestBlockChanges(events)
      // Every block withdraws the pending offers between the two members, even if a later event of the same batch ends
      // the block.
      const pairs = events
        .filter(({ isBlocked }) => isBlocked)
        .map(({ blockerId, blockedId }): Pair => [blockerId, blockedId])
      await lockPairs(trx, pairs)
      await saveBlockChanges(trx, changes)
      await withdrawOffersBetween(trx, pairs)
    }),
  ],
)
