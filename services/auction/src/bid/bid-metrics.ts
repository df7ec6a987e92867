import { counter, histogram } from '@marketplace/kit/telemetry/metrics.ts'

export const batchSizes = histogram(
  'auction_commit_size_bids',
  'Bids of one auction that were decided in one commit.',
  [],
  [1, 2, 5, 10, 20, 50, 100, 200],
)

/**
 * Counts batches of bids by how they were decided. `locked`: under the lock on the auction's row. `ahead`:
 * optimistically, based on cached state. `missed`: the optimistic attempt failed, for example because the auction had
 * changed; the batch is then counted again as `locked`.
 */
export const decisions = counter(
  'auction_decisions_total',
  'Batches of bids by path: ahead (optimistic), missed (optimistic, auction changed) or locked.',
  ['way'],
)
