const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Times after the payment, in ms, at which the refunds and disputes of a paid sale are read from the provider again.
 * The last read is after 120 days, because card disputes and refunds have ended by then.
 */
export const recheckDelaysMs = [hourMs, dayMs, 7 * dayMs, 30 * dayMs, 75 * dayMs, 120 * dayMs] as const
