/**
 * How long the bus keeps events, in ms. A consumer that was stopped for longer misses events. A reader without a consumer
 * group (tail) cannot start with older events.
 */
export const busRetentionMs = 7 * 24 * 3_600_000
