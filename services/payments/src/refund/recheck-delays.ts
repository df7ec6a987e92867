const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** When a paid sale's refunds are read at the provider again, in ms after the payment. Card disputes and refunds end within 120 days. */
export const recheckDelaysMs = [hourMs, dayMs, 7 * dayMs, 30 * dayMs, 75 * dayMs, 120 * dayMs] as const
