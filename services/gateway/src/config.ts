import { busSettings, durationMs, listenSettings, readSettings } from '@marketplace/kit/config.ts'
import { z } from 'zod'

const origin = z
  .url({ protocol: /^https?$/ })
  .refine((value) => URL.parse(value)?.origin === value, 'must be an origin only, such as https://shop.example')

const address = z.url({ protocol: /^https?$/ })

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

const count = z.coerce.number().int().positive()

const gatewaySettings = listenSettings.extend({
  PUBLIC_ORIGIN: origin,
  CATALOG_URL: address,
  AUCTION_URL: address,
  PAYMENTS_URL: address,
  MESSAGING_URL: address,
  SEARCH_URL: address,
  USERS_URL: address,
  WEB_URL: address,
  USERS_INTERNAL_URL: address,
  INTERNAL_SECRET: z.string().min(16),
  ...busSettings.shape,
  /** Limits are shared there with the other gateways. */
  REDIS_URL: z.string().min(1).optional(),
  /** The card provider's address when it is not Stripe's own: pages may call it. */
  STRIPE_API_BASE: address.optional(),
  /** Further names under which clients may call, besides PUBLIC_ORIGIN's, loopback and plain addresses. */
  ALLOWED_HOSTS: list,
  /** Addresses or networks whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: list,
  REFRESH_TIMEOUT_MS: durationMs.default(1000),
  /** A token that ends sooner than this is renewed. */
  REFRESH_AHEAD_MS: durationMs.default(30_000),
  /** How far back revoked sessions are read at start: longer than an access token lives. */
  REVOCATIONS_BACK_MS: durationMs.default(360_000),
  CONNECT_TIMEOUT_MS: durationMs.default(2000),
  /** How long a service may take for the head of its answer. */
  UPSTREAM_TIMEOUT_MS: durationMs.default(5000),
  /** The same where the service itself waits for the card network or the identity provider. */
  SLOW_UPSTREAM_TIMEOUT_MS: durationMs.default(15_000),
  /** So late to its work, in the median of a second, this process takes no more browsing; four times as late only what moves money. */
  BUSY_MS: durationMs.default(250),
  /** Requests that wait for one service; each may hold a body of 64 KiB here. */
  MAX_IN_FLIGHT: count.default(2000),
  /** Request limits, per user or, signed out, per address; the decisions say why so many. */
  LIMIT_READS_PER_SECOND: count.default(100),
  LIMIT_WRITE_BURST: count.default(100),
  LIMIT_WRITES_PER_SECOND: count.default(10),
  LIMIT_SIGN_INS_PER_MINUTE: count.default(60),
  LIMIT_CHATS_PER_MINUTE: count.default(30),
  /** Live streams of this process, and those of one address among them. */
  MAX_WATCHERS: count.default(20_000),
  MAX_WATCHERS_PER_ADDRESS: count.default(200),
  STREAM_HEARTBEAT_MS: durationMs.default(15_000),
  /** How long a stream stays after its auction's end: a bid in time may become known a moment after it. */
  STREAM_LINGER_MS: durationMs.default(5000),
  /** How long a client may take to send its request. */
  REQUEST_TIMEOUT_MS: durationMs.default(15_000),
})

export type GatewayConfig = z.output<typeof gatewaySettings>

export function readConfig(): GatewayConfig {
  return readSettings(gatewaySettings, process.env)
}
