import type { Instant } from './instant.repo.ts'

/**
 * Where the data of a write to the index comes from. Data from an event replaces only older versions. Data from a
 * rebuild also replaces any row that was last written before the rebuild began.
 */
export type SyncSource = { by: 'event' } | { by: 'rebuild'; since: Instant }
