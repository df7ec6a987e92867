import { openBus } from '@marketplace/kit/bus.ts'
import { remoteTokenVerifier } from '@marketplace/kit/auth.ts'
import { buildInternalApp } from '@marketplace/kit/internal.ts'
import { openLog } from '@marketplace/kit/log.ts'
import type { Runnable } from '@marketplace/kit/process.ts'
import type { FastifyInstance } from 'fastify'
import { buildGatewayApp } from './app.ts'
import type { GatewayConfig } from './config.ts'
import { inProcessLimiter } from './limits/in-process-limiter.ts'
import { limitsOf, requestLimits } from './limits/request-limits.ts'
import { openapiRoute } from './openapi/openapi.routes.ts'
import { keepVerified } from './session/kept-tokens.ts'
import { sessionRefresher } from './session/refresh-session.ts'
import { followRevocations } from './session/revocations.ts'

export interface Gateway extends Runnable {
  publicApp: FastifyInstance
  internalApp: FastifyInstance
}

/** The whole gateway. It needs nobody to start: keys, bus and upstreams are reached when they are there. */
export async function createGateway(config: GatewayConfig): Promise<Gateway> {
  const log = openLog('gateway', config.LOG_LEVEL)
  const bus = await openBus(config, log)
  const revocations = followRevocations({ bus, backMs: config.REVOCATIONS_BACK_MS, log })
  const refresh = sessionRefresher({
    usersInternalUrl: config.USERS_INTERNAL_URL,
    secret: config.INTERNAL_SECRET,
    timeoutMs: config.REFRESH_TIMEOUT_MS,
    log,
  })
  const verify = keepVerified(remoteTokenVerifier(config.USERS_INTERNAL_URL))
  const sessions = { verify, refresh, revocations, refreshAheadMs: config.REFRESH_AHEAD_MS }
  const countRequest = requestLimits(inProcessLimiter(), limitsOf(config), log)
  const publicApp = buildGatewayApp(config, log, { sessions, countRequest })
  const internal = buildInternalApp(log, async () => null)
  openapiRoute(internal.app, '/openapi.json')
  return {
    log,
    drainMs: config.DRAIN_MS,
    publicApp,
    internalApp: internal.app,
    async start() {
      const { HOST: host, REUSE_PORT: reusePort } = config
      await internal.app.listen({ host, port: config.INTERNAL_PORT, reusePort })
      await publicApp.listen({ host, port: config.PORT, reusePort })
      log.info({ port: config.PORT }, 'ready')
    },
    async stop() {
      internal.drain()
      await publicApp.close()
      await revocations.stop()
      await bus.close()
      await internal.app.close()
    },
  }
}
