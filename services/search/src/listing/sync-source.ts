import type { Instant } from './instant.repo.ts'

/**
 * Source of a write. An event replaces only older versions. A rebuild also replaces every row that was last written
 * before the rebuild began.
 */
export type SyncSource = { by: 'event' } | { by: 'rebuild'; since: Instant }
