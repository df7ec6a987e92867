import { topics } from '@marketplace/contracts/topics.ts'
import { openBus } from '@marketplace/kit/bus.ts'
import { remoteTokenVerifier } from '@marketplace/kit/auth.ts'
import { closeGently } from '@marketplace/kit/http.ts'
import { buildInternalApp } from '@marketplace/kit/internal.ts'
import { openLog, type Log } from '@marketplace/kit/log.ts'
import type { Runnable } from '@marketplace/kit/process.ts'
import { startTracing } from '@marketplace/kit/tracing.ts'
import type { FastifyInstance } from 'fastify'
import { buildGatewayApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { followTopic } from './follow-topic.ts'
import type { Clock } from './limits/in-process-limiter.ts'
import { openLimiter } from './limits/open-limiter.ts'
import { limitsOf, requestLimits } from './limits/request-limits.ts'
import { liveAuctions, type LiveAuctions } from './live/live-auctions.ts'
import { places } from './live/places.ts'
import { auctionReader } from './live/read-auction.ts'
import { openapiRoute } from './openapi/openapi.routes.ts'
import { sessionRefresher } from './session/refresh-session.ts'
import { followRevocations } from './session/revocations.ts'

export interface Gateway extends Runnable {
  publicApp: FastifyInstance
  internalApp: FastifyInstance
}

/** The whole gateway. It needs nobody to start: keys, bus and upstreams are reached when they are there. `clock` is that of its limits. */
export async function createGateway(config: GatewayConfig, clock?: Clock): Promise<Gateway> {
  const log = openLog('gateway', config.LOG_LEVEL)
  const bus = await openBus(config, log)
  const revocations = followRevocations({ bus, backMs: config.REVOCATIONS_BACK_MS, log })
  const refresh = sessionRefresher({
    usersInternalUrl: config.USERS_INTERNAL_URL,
    secret: config.INTERNAL_SECRET,
    timeoutMs: config.REFRESH_TIMEOUT_MS,
    log,
  })
  const verify = remoteTokenVerifier(config.USERS_INTERNAL_URL)
  const sessions = { verify, refresh, revocations, refreshAheadMs: config.REFRESH_AHEAD_MS }
  const limits = openLimiter(config.REDIS_URL, log, clock)
  const countRequest = requestLimits(limits.limiter, limitsOf(config), log)
  const live = openLive(config, log)
  const auctions = followTopic({ bus, topic: topics.auction, since: new Date(), handler: live.tell, log })
  const publicApp = buildGatewayApp(config, log, { sessions, countRequest, live })
  const internal = buildInternalApp(log, async () => null)
  openapiRoute(internal.app, '/openapi.json')
  return {
    log,
    drainMs: config.DRAIN_MS,
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
      await closeGently(publicApp, config.LINGER_MS)
      await Promise.all([revocations.stop(), auctions.stop()])
      await bus.close()
      limits.close()
      await internal.app.close()
    },
  }
}

function openLive(config: GatewayConfig, log: Log): LiveAuctions {
  return liveAuctions({
    readAuction: auctionReader(config.CATALOG_URL, config.UPSTREAM_TIMEOUT_MS, log),
    places: places({ perProcess: config.MAX_WATCHERS, perNetwork: config.MAX_WATCHERS_PER_ADDRESS }),
    heartbeatMs: config.STREAM_HEARTBEAT_MS,
    lingerMs: config.STREAM_LINGER_MS,
  })
}
