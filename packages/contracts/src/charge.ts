/**
 * Default limits for the amount of a card payment, in cents. The settings MIN_CHARGE_CENTS and MAX_CHARGE_CENTS
 * override them.
 */
export const defaultChargeBounds = { minCents: 50, maxCents: 99_999_999 } as const
