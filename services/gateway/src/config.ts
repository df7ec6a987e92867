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
  /** Origin at which browsers reach the marketplace. Writes from other origins are rejected. */
  PUBLIC_ORIGIN: origin,
  /** URL of the catalog service's public port. */
  CATALOG_URL: address,
  /** URL of the auction service's public port. */
  AUCTION_URL: address,
  /** URL of the payments service's public port. */
  PAYMENTS_URL: address,
  /** URL of the messaging service's public port. */
  MESSAGING_URL: address,
  /** URL of the search service's public port. */
  SEARCH_URL: address,
  /** URL of the users service's public port. */
  USERS_URL: address,
  /** URL of the web server's public port. */
  WEB_URL: address,
  /** URL of the users service's internal port: signing keys and refreshes of sessions. */
  USERS_INTERNAL_URL: address,
  /** Secret of the calls between services. The key that signs viewer cookies is derived from it. */
  INTERNAL_SECRET: z.string().min(16),
  ...busSettings.shape,
  /**
   * URL of the Redis server with the rate-limit counters that all gateways share. If it is not set, each gateway counts
   * separately.
   */
  REDIS_URL: z.string().min(1).optional(),
  /**
   * URL of a server that replaces Stripe's API, for example in tests. The content security policy allows pages to
   * connect to it.
   */
  STRIPE_API_BASE: address.optional(),
  /**
   * Origin of the object store to which browsers upload pictures. If it is not set, they upload to the marketplace
   * itself.
   */
  UPLOAD_ORIGIN: origin.optional(),
  /** Host names that are accepted in addition to PUBLIC_ORIGIN's host, localhost and IP addresses. */
  ALLOWED_HOSTS: list,
  /** Addresses or networks of proxies whose X-Forwarded-For header is trusted. */
  TRUSTED_PROXIES: list,
  /** Timeout of a RefreshSession call. */
  REFRESH_TIMEOUT_MS: durationMs.default(1000),
  /** Access tokens that expire within this time are refreshed in advance. */
  REFRESH_BEFORE_EXPIRY_MS: durationMs.default(30_000),
  /**
   * How far back session revocations are read at start. Must exceed the lifetime of an access token, so that every
   * unexpired token of a revoked session is detected.
   */
  REVOCATION_REPLAY_WINDOW_MS: durationMs.default(360_000),
  /** Timeout of opening a connection to a service. */
  CONNECT_TIMEOUT_MS: durationMs.default(2000),
  /** Deadline for receiving a service's response headers. */
  UPSTREAM_TIMEOUT_MS: durationMs.default(5000),
  /**
   * Deadline that replaces UPSTREAM_TIMEOUT_MS for uploads, for card provider webhooks, and on routes where the service
   * waits for the card network, the identity provider, the assistant or the picture worker.
   */
  SLOW_UPSTREAM_TIMEOUT_MS: durationMs.default(15_000),
  /**
   * Median event loop delay, measured over one second, above which low-priority requests are rejected. Above four times
   * this delay, only requests that move money or decide who gets an item are accepted.
   */
  MAX_EVENT_LOOP_DELAY_MS: durationMs.default(250),
  /** Maximum number of concurrent requests to one service. Each request can hold a body of 64 KiB in memory. */
  MAX_IN_FLIGHT: count.default(2000),
  /**
   * Rate and burst of reads, and separately of pages and files, per signed-in user or, signed out, per IP address. Here
   * and below, IPv6 addresses are counted by /64 network.
   */
  LIMIT_READS_PER_SECOND: count.default(100),
  /** Number of writes that a signed-in user or a signed-out address can send at once. */
  LIMIT_WRITE_BURST: count.default(100),
  /** Rate of writes, per signed-in user or signed-out address, after the burst. */
  LIMIT_WRITES_PER_SECOND: count.default(10),
  /**
   * Burst of the rate limit that all signed-in users at one IP address share, for writes and chat messages. Applies in
   * addition to each user's own limit.
   */
  LIMIT_ADDRESS_WRITE_BURST: count.default(1000),
  /** Rate of that limit. */
  LIMIT_ADDRESS_WRITES_PER_SECOND: count.default(100),
  /** Burst of the rate limit for webhooks from one address, including webhooks with an invalid signature. */
  LIMIT_WEBHOOK_BURST: count.default(1000),
  /** Rate of webhooks from one address after the burst. */
  LIMIT_WEBHOOKS_PER_SECOND: count.default(100),
  /** Rate and burst of sign-ins from one address. */
  LIMIT_SIGN_INS_PER_MINUTE: count.default(60),
  /** Rate and burst of chat messages, per signed-in user or signed-out address. */
  LIMIT_CHATS_PER_MINUTE: count.default(30),
  /** Maximum number of one user's reads that this process forwards concurrently. Further reads wait. */
  MAX_READS_IN_FLIGHT_PER_USER: count.default(6),
  /**
   * Maximum number of signed-out reads from one address that this process forwards concurrently. Further reads wait.
   */
  MAX_READS_IN_FLIGHT_PER_ADDRESS: count.default(24),
  /**
   * Deadline for reading an auction's newest bids for its live streams. After the deadline, the streams send the state
   * without these bids.
   */
  LIVE_BIDS_TIMEOUT_MS: durationMs.default(1000),
  /** Maximum number of open live streams in this process. */
  MAX_STREAMS: count.default(20_000),
  /** Maximum number of open live streams per client address (IPv6: per /64 network). */
  MAX_STREAMS_PER_ADDRESS: count.default(200),
  /** Maximum number of open live streams per signed-in user. */
  MAX_STREAMS_PER_USER: count.default(8),
  /** Interval at which each live stream gets a comment, so that proxies keep its connection open. */
  STREAM_HEARTBEAT_MS: durationMs.default(15_000),
  /**
   * How long an auction's live streams stay open after its end. A bid placed just before the end can be published after
   * the end.
   */
  STREAM_CLOSE_DELAY_MS: durationMs.default(5000),
  /** Deadline for a client to send its complete request. Checked once per second. */
  REQUEST_TIMEOUT_MS: durationMs.default(9000),
})

export type GatewayConfig = z.output<typeof gatewaySettings>

export function readConfig(): GatewayConfig {
  return readSettings(gatewaySettings, process.env)
}
