import { defaultChargeBounds } from '@marketplace/contracts/charge.ts'
import { defaultFeeBasisPoints, maxFeeBasisPoints } from '@marketplace/contracts/fee.ts'
import { picturesOrigin } from '@marketplace/contracts/pictures.ts'
import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config/config.ts'
import { z } from 'zod'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const paymentsSettings = serviceSettings.extend({
  // Origin in the URLs of uploaded pictures. Without this setting, the URLs are relative to the site's own origin.
  PICTURES_ORIGIN: picturesOrigin,
  // URL of the catalog service's internal port.
  CATALOG_INTERNAL_URL: z.url(),
  // URL of the auction service's internal port.
  AUCTION_INTERNAL_URL: z.url(),
  // Stripe's secret API key, with which this service calls Stripe.
  STRIPE_SECRET_KEY: z.string().startsWith('sk_'),
  // Stripe's publishable API key, with which browsers call Stripe.
  STRIPE_PUBLISHABLE_KEY: z.string().startsWith('pk_'),
  // Secret with which the provider signs webhooks. Several secrets, separated by commas, are needed while a secret is
  // being replaced or if there are several webhook endpoints.
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_[^,\s]*(,whsec_[^,\s]*){0,3}$/,
      'Must be up to 4 secrets, each starting with whsec_, separated by commas',
    ),
  // Absolute URL that is used instead of Stripe's API, for example the URL of the local card network.
  STRIPE_API_BASE: z.url().optional(),
  // Marketplace fee rate for new sales, in basis points, at most 1,474. A change does not affect a sale whose item is
  // already held.
  FEE_BASIS_POINTS: z.coerce.number().int().min(0).max(maxFeeBasisPoints).default(defaultFeeBasisPoints),
  // Smallest total that the card provider accepts for a charge, in cents.
  MIN_CHARGE_CENTS: z.coerce.number().int().min(1).default(defaultChargeBounds.minCents),
  // Largest total that the card provider accepts for a charge, in cents. Must equal MAX_CHARGE_CENTS of the auction
  // service.
  MAX_CHARGE_CENTS: z.coerce.number().int().min(1).default(defaultChargeBounds.maxCents),
  // Timeout of each request to the card provider; two retries have a timeout of their own.
  PROVIDER_TIMEOUT_MS: durationMs.default(5000),
  // Timeout of a Hold call.
  HOLD_TIMEOUT_MS: durationMs.default(2000),
  // Timeout of a Settle call. If it fails, the event of the sale has the same effect.
  SETTLE_TIMEOUT_MS: durationMs.default(500),
  // Timeout of a GetProfiles call.
  PROFILES_TIMEOUT_MS: durationMs.default(250),
  // How long the names of buyers and sellers are cached.
  PROFILES_TTL_MS: durationMs.default(minuteMs),
  // How long an item is held for a buyer during the checkout.
  CHECKOUT_TTL_MS: durationMs.default(10 * minuteMs),
  // How long a sale in state `new` can wait until the inventory service (catalog or auction) holds its item.
  NEW_SALE_TTL_MS: durationMs.default(30_000),
  // Maximum number of unpaid buy-now checkouts that one buyer can have at once.
  MAX_OPEN_CHECKOUTS: z.coerce.number().int().min(1).default(5),
  // If this number of a buyer's checkouts expire unpaid within EXPIRED_CHECKOUTS_WINDOW_MS, the buyer must wait before
  // each new checkout.
  MAX_EXPIRED_CHECKOUTS: z.coerce.number().int().min(1).default(2),
  // How long an expired checkout counts for MAX_EXPIRED_CHECKOUTS.
  EXPIRED_CHECKOUTS_WINDOW_MS: durationMs.default(24 * hourMs),
  // How long a buyer who has reached MAX_EXPIRED_CHECKOUTS must wait, counted from the last expired checkout. The wait
  // doubles with each further expired checkout, up to EXPIRED_CHECKOUTS_WINDOW_MS.
  CHECKOUT_PAUSE_DELAY_MS: durationMs.default(5 * minuteMs),
  // Interval of the sweeps `sales`, `webhooks`, `overdue refunds`, `rechecks` and `disputes`.
  SWEEP_INTERVAL_MS: durationMs.default(1000),
  // Interval at which an unpaid sale's payment intent is read from the provider, until PAYMENT_FAST_POLL_WINDOW_MS
  // after the buyer last requested the intent.
  PAYMENT_POLL_INTERVAL_MS: durationMs.default(minuteMs),
  // PAYMENT_POLL_INTERVAL_MS applies for this long after the buyer last requested the payment intent.
  PAYMENT_FAST_POLL_WINDOW_MS: durationMs.default(15 * minuteMs),
  // Interval at which an unpaid sale's payment intent is read from the provider after PAYMENT_FAST_POLL_WINDOW_MS.
  PAYMENT_SLOW_POLL_INTERVAL_MS: durationMs.default(hourMs),
  // Time between the release of an unpaid sale and the last check of its payment intent, which detects a late payment.
  RELEASED_RECHECK_DELAY_MS: durationMs.default(hourMs),
  // Delay before a cancellation, refund or webhook is retried. For refunds, the delay doubles with each attempt.
  RETRY_DELAY_MS: durationMs.default(5000),
  // How long the first request with an Idempotency-Key is treated as running if it does not finish. After this time, a
  // repeated request is executed instead of rejected.
  IDEMPOTENCY_LEASE_TTL_MS: durationMs.default(30_000),
  // How long processed webhook events are kept.
  WEBHOOK_RETENTION_MS: durationMs.default(30 * 24 * hourMs),
})

export type PaymentsSettings = z.output<typeof paymentsSettings>

export function readConfig(): PaymentsSettings {
  return readSettings(paymentsSettings, process.env)
}
