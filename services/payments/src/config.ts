import { durationMs, readSettings, serviceSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export const paymentsSettings = serviceSettings.extend({
  CATALOG_INTERNAL_URL: z.url(),
  AUCTION_INTERNAL_URL: z.url(),
  STRIPE_SECRET_KEY: z.string().startsWith('sk_'),
  STRIPE_PUBLISHABLE_KEY: z.string().startsWith('pk_'),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_'),
  // Another address than Stripe's own, absolute: the local card network.
  STRIPE_API_BASE: z.url().optional(),
  PROVIDER_TIMEOUT_MS: durationMs.default(5000),
  HOLD_TIMEOUT_MS: durationMs.default(2000),
  SETTLE_TIMEOUT_MS: durationMs.default(500),
  PROFILES_TIMEOUT_MS: durationMs.default(250),
  PROFILES_KEEP_MS: durationMs.default(minuteMs),
  // How long a checkout keeps the item for its buyer.
  CHECKOUT_MS: durationMs.default(10 * minuteMs),
  // How long a sale may wait for its hold.
  NEW_GRACE_MS: durationMs.default(30_000),
  SWEEP_EVERY_MS: durationMs.default(1000),
  // How often the provider is asked about an open intent: soon after the last create-intent, and later.
  PAYABLE_POLL_MS: durationMs.default(minuteMs),
  PAYABLE_SOON_MS: durationMs.default(15 * minuteMs),
  PAYABLE_SLOW_POLL_MS: durationMs.default(hourMs),
  // When the provider is asked a last time about a cancelled intent.
  RELEASED_LOOK_MS: durationMs.default(hourMs),
  // How soon a cancellation or refund that got no answer (a refund ever more seldom), or a webhook that could not be processed, is tried again.
  RETRY_MS: durationMs.default(5000),
  // How long a first request with an Idempotency-Key counts as running.
  KEY_RUNNING_MS: durationMs.default(30_000),
})

export type PaymentsSettings = z.output<typeof paymentsSettings>

export function readConfig(): PaymentsSettings {
  return readSettings(paymentsSettings, process.env)
}
