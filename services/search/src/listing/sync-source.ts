import type { Instant } from './instant.repo.ts'

/**
 * Source of a write to the index. An event replaces only older versions. A rebuild of the index also replaces every row
 * that was last written before the rebuild began.
 */
export type SyncSource = { by: 'event' } | { by: 'rebuild'; since: Instant }
