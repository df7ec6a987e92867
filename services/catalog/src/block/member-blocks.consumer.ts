import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { applyBlocks } from '@marketplace/kit/blocks/block-projection.ts'
import { consumer, onAll } from '@marketplace/kit/events/consumer.ts'
import type { CatalogTables } from '../db.ts'
import { withdrawOffersBetween } from '../offer/offers.repo.ts'

/** Stores who has blocked whom, and withdraws the pending offers between a blocker and the blocked member. */
export const memberBlocksConsumer = consumer<CatalogTables>(
  'member-blocks',
  [topics.users],
  [
    onAll(BlockChangedSchema, (trx, events) =>
      applyBlocks(trx, events, {
        service: 'catalog',
        onBlocked: (pairs) => withdrawOffersBetween(trx, pairs),
      }),
    ),
  ],
)
