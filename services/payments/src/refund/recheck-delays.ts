const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Delays after the payment, in milliseconds, at which a paid sale's refunds and disputes are read from the provider
 * again. The last read is after 120 days, because card disputes and refunds have ended by then.
 */
export const recheckDelaysMs = [hourMs, dayMs, 7 * dayMs, 30 * dayMs, 75 * dayMs, 120 * dayMs] as const
