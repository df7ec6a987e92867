/** Retention of events on the bus, ms. Limits how far back a tail or a returning consumer can read. */
export const busRetentionMs = 7 * 24 * 3_600_000
