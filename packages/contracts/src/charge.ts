/**
 * Smallest and largest amount in cents that the card provider charges. These are the defaults of the settings
 * MIN_CHARGE_CENTS and MAX_CHARGE_CENTS.
 */
export const defaultChargeBounds = { minCents: 50, maxCents: 99_999_999 } as const
