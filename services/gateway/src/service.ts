import { topics } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import { remoteTokenVerifier } from '@marketplace/kit/auth/auth.ts'
import { closeGracefully } from '@marketplace/kit/http/http.ts'
import { connectivityCollector, degradationsOf } from '@marketplace/kit/app/connectivity.ts'
import type { Bus } from '@marketplace/kit/events/bus.ts'
import { buildInternalApp } from '@marketplace/kit/app/internal.ts'
import { openLog, type Log } from '@marketplace/kit/telemetry/log.ts'
import { registerCollectors } from '@marketplace/kit/telemetry/metrics.ts'
import type { Runnable } from '@marketplace/kit/app/process.ts'
import { startTracing } from '@marketplace/kit/telemetry/tracing.ts'
import type { FastifyInstance } from 'fastify'
import { buildGatewayApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { warnWithoutTrustedProxies } from './request-checks/untrusted-proxy.ts'
import { tailTopic } from './tail-topic.ts'
import type { Clock } from './limits/in-process-limiter.ts'
import { openLimiter } from './limits/open-limiter.ts'
import { chargeFor, limitsOf, requestLimits } from './limits/request-limits.ts'
import { createLiveAuctions, type LiveAuctions } from './live/live-auctions.ts'
import { createStreamSlots } from './live/stream-slots.ts'
import { auctionReader } from './live/read-auction.ts'
import { bidsReader } from './live/read-bids.ts'
import { openapiRoute } from './openapi/openapi.routes.ts'
import type { Route } from './routing/route.ts'
import { routeTable } from './routing/route-table.ts'
import { createSessionRefresher } from './session/refresh-session.ts'
import { trackRevocations } from './session/revocations.ts'

export interface Gateway extends Runnable {
  publicApp: FastifyInstance
  internalApp: FastifyInstance
}

/**
 * Creates the gateway. It starts even if its dependencies are unavailable and connects to the users service (for
 * signing keys), the event bus and the upstreams as soon as it can. `clock` is the clock of the rate limiter.
 */
export async function createGateway(
  config: GatewayConfig,
  clock?: Clock,
  routes: readonly Route[] = routeTable,
): Promise<Gateway> {
  const log = openLog('gateway', config.LOG_LEVEL)
  const bus = await openBus(config, log)
  const revocations = trackRevocations({ bus, replayMs: config.REVOCATION_REPLAY_WINDOW_MS, log })
  const refresh = createSessionRefresher({
    usersInternalUrl: config.USERS_INTERNAL_URL,
    secret: config.INTERNAL_SECRET,
    timeoutMs: config.REFRESH_TIMEOUT_MS,
    log,
  })
  const verify = remoteTokenVerifier(config.USERS_INTERNAL_URL)
  const sessions = { verify, refresh, revocations, refreshAheadMs: config.REFRESH_BEFORE_EXPIRY_MS }
  const limits = openLimiter(config.REDIS_URL, log, clock)
  const countRequest = requestLimits(limits.limiter, limitsOf(config), log)
  const charge = chargeFor(limits.limiter, limitsOf(config))
  const live = createLive(config, bus, log)
  const auctionTail = tailTopic({ bus, topic: topics.auction, since: new Date(), handler: live.applyEvent, log })
  const publicApp = buildGatewayApp(config, log, { sessions, countRequest, charge, live, routes })
  warnWithoutTrustedProxies(publicApp, config, log)
  const internal = buildInternalApp(
    log,
    async () => null,
    () => degradationsOf({ bus }),
  )
  const unregisterCollectors = registerCollectors([connectivityCollector({ bus })])
  openapiRoute(internal.app, '/openapi.json')
  return {
    log,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    publicApp,
    internalApp: internal.app,
    async start() {
      await startTracing('gateway', config)
      const { HOST: host, REUSE_PORT: reusePort } = config
      await internal.app.listen({ host, port: config.INTERNAL_PORT, reusePort })
      await publicApp.listen({ host, port: config.PORT, reusePort })
      log.info({ port: config.PORT }, 'ready')
    },
    async stop() {
      internal.drain()
      await closeGracefully(publicApp, config.SHUTDOWN_DELAY_MS)
      unregisterCollectors()
      await Promise.all([revocations.stop(), auctionTail.stop()])
      await bus.close()
      limits.close()
      await internal.app.close()
    },
  }
}

function createLive(config: GatewayConfig, bus: Bus, log: Log): LiveAuctions {
  return createLiveAuctions({
    readAuction: auctionReader(config.CATALOG_URL, config.UPSTREAM_TIMEOUT_MS, log),
    readBids: bidsReader(config.AUCTION_URL, config.LIVE_BIDS_TIMEOUT_MS, log),
    slots: createStreamSlots({
      perProcess: config.MAX_STREAMS,
      perNetwork: config.MAX_STREAMS_PER_ADDRESS,
      perUser: config.MAX_STREAMS_PER_USER,
    }),
    isBusHealthy: () => bus.isHealthy(),
    heartbeatMs: config.STREAM_HEARTBEAT_MS,
    closeDelayMs: config.STREAM_CLOSE_DELAY_MS,
  })
}
