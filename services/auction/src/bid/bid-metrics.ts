import { counter, histogram } from '@marketplace/kit/telemetry/metrics.ts'

export const batchSizes = histogram(
  'auction_commit_size_bids',
  'Bids of one auction that were decided in one commit.',
  [],
  [1, 2, 5, 10, 20, 50, 100, 200],
)

/**
 * Counts batches of bids by path: `locked` (under the row lock), `ahead` (optimistic) or `missed` (optimistic attempt
 * failed; the batch is counted again as `locked`).
 */
export const decisions = counter(
  'auction_decisions_total',
  'Batches of bids by path: ahead (optimistic), missed (optimistic, auction changed) or locked.',
  ['way'],
)
