/**
 * Retention of events on the bus, ms. A consumer that was stopped for longer misses events. A tail cannot start earlier than
 * this.
 */
export const busRetentionMs = 7 * 24 * 3_600_000
