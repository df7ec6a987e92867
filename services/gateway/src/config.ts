import { busSettings, durationMs, listenSettings, readSettings } from '@marketplace/kit/config/config.ts'
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

export const gatewaySettings = listenSettings.extend({
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
  /** URL of the Redis server in which all gateways count requests for the rate limits together. */
  REDIS_URL: z.string().min(1).optional(),
  /** URL of the card provider when it is not Stripe's. Pages may connect to it. */
  STRIPE_API_BASE: address.optional(),
  /** Origin of the object store to which browsers upload pictures. Without it, they upload to the marketplace itself. */
  UPLOAD_ORIGIN: origin.optional(),
  /** Allowed host names besides PUBLIC_ORIGIN's, loopback and IP addresses. */
  ALLOWED_HOSTS: list,
  /** Addresses or networks whose X-Forwarded-For header is trusted. */
  TRUSTED_PROXIES: list,
  REFRESH_TIMEOUT_MS: durationMs.default(1000),
  /** An access token that expires within this time is refreshed. */
  REFRESH_BEFORE_EXPIRY_MS: durationMs.default(30_000),
  /**
   * How far back revocations are read at start. Must exceed the lifetime of an access token, because older revocations
   * concern only expired tokens.
   */
  REVOCATION_REPLAY_WINDOW_MS: durationMs.default(360_000),
  CONNECT_TIMEOUT_MS: durationMs.default(2000),
  /** Deadline for the response headers of a service. */
  UPSTREAM_TIMEOUT_MS: durationMs.default(5000),
  /** Deadline for routes on which the service waits for the card network, the identity provider or the assistant. */
  SLOW_UPSTREAM_TIMEOUT_MS: durationMs.default(15_000),
  /**
   * Event loop delay (median over a second) above which low-priority requests are rejected. Above four times this
   * delay, only requests that move money or decide who gets an item are accepted.
   */
  MAX_EVENT_LOOP_DELAY_MS: durationMs.default(250),
  /** Maximum number of concurrent requests to one service. Each request may hold a body of 64 KiB in memory. */
  MAX_IN_FLIGHT: count.default(2000),
  /** Rate limits of a signed-in user or, without a session, of an address (an IPv6 address by its /64 network). */
  LIMIT_READS_PER_SECOND: count.default(100),
  LIMIT_WRITE_BURST: count.default(100),
  LIMIT_WRITES_PER_SECOND: count.default(10),
  /**
   * Rate limit of writes and chat messages of all signed-in users of one address together, in addition to the limit of
   * each user.
   */
  LIMIT_ADDRESS_WRITE_BURST: count.default(1000),
  LIMIT_ADDRESS_WRITES_PER_SECOND: count.default(100),
  /** Rate limit of webhooks from one address. A webhook is counted before its signature is verified. */
  LIMIT_WEBHOOK_BURST: count.default(1000),
  LIMIT_WEBHOOKS_PER_SECOND: count.default(100),
  LIMIT_SIGN_INS_PER_MINUTE: count.default(60),
  LIMIT_CHATS_PER_MINUTE: count.default(30),
  /** Maximum number of one user's reads that this process forwards concurrently. Further reads wait. */
  MAX_READS_IN_FLIGHT_PER_USER: count.default(6),
  /**
   * Maximum number of signed-out reads from one address that this process forwards concurrently. Further reads wait.
   */
  MAX_READS_IN_FLIGHT_PER_ADDRESS: count.default(24),
  /**
   * Deadline for reading the newest bids of an auction for its live streams. After the deadline, the streams open
   * without the bids.
   */
  LIVE_BIDS_TIMEOUT_MS: durationMs.default(1000),
  /** Maximum number of live streams that are open in this process. */
  MAX_STREAMS: count.default(20_000),
  /** Maximum number of live streams that are open from one client address (IPv6: /64 network). */
  MAX_STREAMS_PER_ADDRESS: count.default(200),
  /** Maximum number of live streams that are open for one signed-in user. */
  MAX_STREAMS_PER_USER: count.default(8),
  STREAM_HEARTBEAT_MS: durationMs.default(15_000),
  /**
   * How long streams stay open after the end of an auction. A bid that was placed in time may be published shortly
   * after the end.
   */
  STREAM_CLOSE_DELAY_MS: durationMs.default(5000),
  /** Deadline for a client to send its request. Checked every second. */
  REQUEST_TIMEOUT_MS: durationMs.default(9000),
})

export type GatewayConfig = z.output<typeof gatewaySettings>

export function readConfig(): GatewayConfig {
  return readSettings(gatewaySettings, process.env)
}
