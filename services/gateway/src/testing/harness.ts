import { cookieNames, type CookieNames } from '@marketplace/kit/auth/cookies.ts'
import { startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { testSecret } from '@marketplace/testing/settings.ts'
import type { GatewayConfig } from '../config.ts'
import type { Route, Service } from '../routing/route.ts'
import { createGateway, type Gateway } from '../service.ts'
import { startFakeUpstream, type FakeUpstream } from './fake-upstream.ts'
import { startFakeUsers, type FakeUsers } from './fake-users.ts'

export const publicOrigin = 'http://localhost:8080'

const services = ['catalog', 'auction', 'payments', 'messaging', 'search', 'users', 'web'] as const

export interface Harness {
  gateway: Gateway
  port: number
  upstreams: Record<Service, FakeUpstream>
  /** Returns the number of requests received by all upstreams. */
  forwarded(): number
  users: FakeUsers
  keys: TestKeys
  names: CookieNames
  stop(): Promise<void>
}

/**
 * Starts a gateway with fake services. If the test passes no event bus, the bus of the gateway is unreachable.
 * `prepare` may add hooks before the gateway listens.
 */
export async function createHarness(
  overrides: Partial<GatewayConfig> = {},
  clock?: () => number,
  prepare?: (gateway: Gateway) => void,
  routes?: readonly Route[],
): Promise<Harness> {
  const keys = await startTestKeys()
  const users = await startFakeUsers(keys)
  const upstreams = await startUpstreams()
  const gateway = await createGateway({ ...config(users, upstreams), ...overrides }, clock, routes)
  prepare?.(gateway)
  await gateway.start()
  const address = gateway.publicApp.server.address()
  return {
    gateway,
    port: typeof address === 'object' && address ? address.port : 0,
    upstreams,
    forwarded: () => Object.values(upstreams).reduce((sum, { received }) => sum + received.length, 0),
    users,
    keys,
    names: cookieNames(overrides.PUBLIC_ORIGIN ?? publicOrigin),
    async stop() {
      await gateway.stop()
      await Promise.all([...Object.values(upstreams), users, keys].map((part) => part.stop()))
    },
  }
}

async function startUpstreams(): Promise<Record<Service, FakeUpstream>> {
  const [catalog, auction, payments, messaging, search, users, web] = await Promise.all(
    services.map((name) => startFakeUpstream(name)),
  )
  if (!catalog || !auction || !payments || !messaging || !search || !users || !web) throw new Error('never')
  return { catalog, auction, payments, messaging, search, users, web }
}

function config(users: FakeUsers, upstreams: Record<Service, FakeUpstream>): GatewayConfig {
  return {
    HOST: '127.0.0.1',
    PORT: 0,
    INTERNAL_PORT: 0,
    REUSE_PORT: false,
    LOG_LEVEL: 'silent',
    SHUTDOWN_TIMEOUT_MS: 5000,
    SHUTDOWN_DELAY_MS: 0,
    KAFKA_PARTITIONS: 4,
    PUBLIC_ORIGIN: publicOrigin,
    CATALOG_URL: upstreams.catalog.url,
    AUCTION_URL: upstreams.auction.url,
    PAYMENTS_URL: upstreams.payments.url,
    MESSAGING_URL: upstreams.messaging.url,
    SEARCH_URL: upstreams.search.url,
    USERS_URL: upstreams.users.url,
    WEB_URL: upstreams.web.url,
    USERS_INTERNAL_URL: users.url,
    INTERNAL_SECRET: testSecret,
    BUS_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    ALLOWED_HOSTS: [],
    TRUSTED_PROXIES: [],
    // These times are so long that no test on a busy machine reaches them.
    REFRESH_TIMEOUT_MS: 60_000,
    REFRESH_BEFORE_EXPIRY_MS: 30_000,
    REVOCATION_REPLAY_WINDOW_MS: 360_000,
    CONNECT_TIMEOUT_MS: 60_000,
    UPSTREAM_TIMEOUT_MS: 60_000,
    SLOW_UPSTREAM_TIMEOUT_MS: 60_000,
    MAX_EVENT_LOOP_DELAY_MS: 60_000,
    MAX_IN_FLIGHT: 2000,
    // These limits are so high that no test reaches them.
    LIMIT_READS_PER_SECOND: 1_000_000,
    LIMIT_WRITE_BURST: 1_000_000,
    LIMIT_WRITES_PER_SECOND: 1_000_000,
    LIMIT_ADDRESS_WRITE_BURST: 1_000_000,
    LIMIT_ADDRESS_WRITES_PER_SECOND: 1_000_000,
    LIMIT_WEBHOOK_BURST: 1_000_000,
    LIMIT_WEBHOOKS_PER_SECOND: 1_000_000,
    LIMIT_SIGN_INS_PER_MINUTE: 1_000_000,
    LIMIT_CHATS_PER_MINUTE: 1_000_000,
    MAX_READS_IN_FLIGHT_PER_USER: 1_000_000,
    MAX_READS_IN_FLIGHT_PER_ADDRESS: 1_000_000,
    LIVE_BIDS_TIMEOUT_MS: 60_000,
    MAX_STREAMS: 1000,
    MAX_STREAMS_PER_ADDRESS: 1000,
    MAX_STREAMS_PER_USER: 1000,
    STREAM_HEARTBEAT_MS: 15_000,
    STREAM_CLOSE_DELAY_MS: 200,
    REQUEST_TIMEOUT_MS: 60_000,
  }
}
