/**
 * How long the bus keeps events, in ms. A consumer that was stopped for longer misses events, and a tail (a reader
 * without a consumer group) cannot start with older events.
 */
export const busRetentionMs = 7 * 24 * 3_600_000
