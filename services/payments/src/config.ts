import { defaultChargeBounds } from '@marketplace/contracts/charge.ts'
import { defaultFeeBasisPoints } from '@marketplace/contracts/fee.ts'
import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { z } from 'zod'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const paymentsSettings = serviceSettings.extend({
  CATALOG_INTERNAL_URL: z.url(),
  AUCTION_INTERNAL_URL: z.url(),
  STRIPE_SECRET_KEY: z.string().startsWith('sk_'),
  STRIPE_PUBLISHABLE_KEY: z.string().startsWith('pk_'),
  // One signing secret, or several separated by commas while one replaces another or where there are several endpoints.
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_[^,\s]*(,whsec_[^,\s]*){0,3}$/,
      'Must be up to 4 secrets, each starting with whsec_, separated by commas',
    ),
  // Absolute URL that replaces Stripe's API, for the local card network.
  STRIPE_API_BASE: z.url().optional(),
  // Rate of the marketplace fee for new sales, in basis points. A sale keeps the rate of the time when it was held.
  FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(10_000).default(defaultFeeBasisPoints),
  // Least and greatest total that the card provider charges, in cents.
  MIN_CHARGE_CENTS: z.coerce.number().int().min(1).default(defaultChargeBounds.minCents),
  MAX_CHARGE_CENTS: z.coerce.number().int().min(1).default(defaultChargeBounds.maxCents),
  PROVIDER_TIMEOUT_MS: durationMs.default(5000),
  HOLD_TIMEOUT_MS: durationMs.default(2000),
  SETTLE_TIMEOUT_MS: durationMs.default(500),
  PROFILES_TIMEOUT_MS: durationMs.default(250),
  PROFILES_TTL_MS: durationMs.default(minuteMs),
  // Duration of a checkout hold.
  CHECKOUT_TTL_MS: durationMs.default(10 * minuteMs),
  // Deadline for a new sale to get its hold.
  NEW_SALE_TTL_MS: durationMs.default(30_000),
  // Unpaid buy-now checkouts that one buyer may have at once.
  MAX_OPEN_CHECKOUTS: z.coerce.number().int().min(1).default(5),
  // Checkouts of one buyer that may expire unpaid within EXPIRED_CHECKOUTS_WINDOW_MS before new ones have to wait.
  MAX_EXPIRED_CHECKOUTS: z.coerce.number().int().min(1).default(2),
  EXPIRED_CHECKOUTS_WINDOW_MS: durationMs.default(24 * hourMs),
  // Wait after the last of these expired. Doubles with each further one, up to EXPIRED_CHECKOUTS_WINDOW_MS.
  CHECKOUT_PAUSE_DELAY_MS: durationMs.default(5 * minuteMs),
  SWEEP_INTERVAL_MS: durationMs.default(1000),
  // Fast interval between two reads of an open intent from the provider.
  PAYMENT_POLL_INTERVAL_MS: durationMs.default(minuteMs),
  // How long after the last create-intent request the fast interval applies.
  PAYMENT_FAST_POLL_WINDOW_MS: durationMs.default(15 * minuteMs),
  // Interval between two reads of an open intent after that time.
  PAYMENT_SLOW_POLL_INTERVAL_MS: durationMs.default(hourMs),
  // Delay until the last check of a released sale's intent.
  RELEASED_RECHECK_DELAY_MS: durationMs.default(hourMs),
  // Delay before the retry of a cancellation, refund or webhook. Refunds back off exponentially.
  RETRY_DELAY_MS: durationMs.default(5000),
  // Time for which the first request with an Idempotency-Key counts as running.
  IDEMPOTENCY_LEASE_TTL_MS: durationMs.default(30_000),
  // How long processed webhook events are kept.
  WEBHOOK_RETENTION_MS: durationMs.default(30 * 24 * hourMs),
})

export type PaymentsSettings = z.output<typeof paymentsSettings>

export function readConfig(): PaymentsSettings {
  return readSettings(paymentsSettings, process.env)
}
