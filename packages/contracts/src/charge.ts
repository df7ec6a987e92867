/** Amounts in cents that the card provider charges by default (settings MIN_CHARGE_CENTS and MAX_CHARGE_CENTS). */
export const defaultChargeBounds = { minCents: 50, maxCents: 99_999_999 } as const
