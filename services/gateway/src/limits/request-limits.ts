import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { GatewayConfig } from '../config.ts'
import type { RateClass } from '../routing/route.ts'
import { userIdOf } from '../session/resolve-session.ts'
import type { Limit, Limiter } from './limiter.ts'
import { networkOf } from './network-of.ts'

/**
 * Name of a request counter: one per rate class, plus `address-write` for the writes of all signed-in users at one IP
 * address.
 */
export type CountedRate = RateClass | 'address-write'

export type Limits = Readonly<Record<CountedRate, Limit>>

/**
 * Returns the configured limits. Pages and files are limited separately from the API, so that loading a page does not
 * use up the API limit.
 */
export function limitsOf(config: GatewayConfig): Limits {
  const reads = { burst: config.LIMIT_READS_PER_SECOND, perSecond: config.LIMIT_READS_PER_SECOND }
  return {
    read: reads,
    page: reads,
    write: { burst: config.LIMIT_WRITE_BURST, perSecond: config.LIMIT_WRITES_PER_SECOND },
    'address-write': { burst: config.LIMIT_ADDRESS_WRITE_BURST, perSecond: config.LIMIT_ADDRESS_WRITES_PER_SECOND },
    webhook: { burst: config.LIMIT_WEBHOOK_BURST, perSecond: config.LIMIT_WEBHOOKS_PER_SECOND },
    'sign-in': perMinute(config.LIMIT_SIGN_INS_PER_MINUTE),
    chat: perMinute(config.LIMIT_CHATS_PER_MINUTE),
  }
}

function perMinute(count: number): Limit {
  return { burst: count, perSecond: count / 60 }
}

/** Thrown when a rate limit is exceeded (429). `retryAfterSeconds` is sent in the Retry-After header. */
export class RateLimitExceeded extends DomainError {
  override readonly retryAfterSeconds: number

  constructor(waitMs: number) {
    super('limited', 'too_many_requests', 'Too many requests. Please slow down.')
    this.retryAfterSeconds = Math.ceil(waitMs / 1000)
  }
}

const rejections = counter('gateway_limited_requests_total', 'Requests rejected with status 429.', ['rate'])

/**
 * Client that requests are counted for: the signed-in user or, without a session, the network of the client's IP
 * address.
 */
export type Client = { userId: string } | { network: string }

/** Counts a request for the client. Rejects with `RateLimitExceeded` if the client exceeds the rate limit. */
export type CountRequest = (rate: CountedRate, client: Client) => Promise<void>

/** Counts an expensive request as several: adds `requests` to the client's count. */
export type ChargeClient = (rate: CountedRate, client: Client, requests: number) => Promise<void>

export function requestLimits(limiter: Limiter, limits: Limits, log: Log): CountRequest {
  const audit = auditTrail(log)
  return async (rate, client) => {
    const key = keyOf(rate, client)
    const waitMs = await limiter.take(key, limits[rate])
    if (waitMs === 0) return
    rejections.inc({ rate })
    // The client's IP address is not logged, because it is personal data.
    audit(key, { rate, userId: 'userId' in client ? client.userId : null })
    throw new RateLimitExceeded(waitMs)
  }
}

export function chargeFor(limiter: Limiter, limits: Limits): ChargeClient {
  return (rate, client, requests) => limiter.charge(keyOf(rate, client), limits[rate], requests)
}

/** Returns the client that this request is counted for. */
export function clientOf({ session, ip }: Pick<FastifyRequest, 'session' | 'ip'>): Client {
  const userId = userIdOf(session)
  return userId === null ? { network: networkOf(ip) } : { userId }
}

function keyOf(rate: CountedRate, client: Client): string {
  return 'userId' in client ? `${rate} user ${client.userId}` : `${rate} network ${client.network}`
}

// Creates a function that logs an exceeded rate limit, at most once per minute for each user or network.
function auditTrail(log: Log) {
  const logged = new LRUCache<string, true>({ max: 1000, ttl: 60_000 })
  return (key: string, event: { rate: CountedRate; userId: string | null }) => {
    if (logged.has(key)) return
    logged.set(key, true)
    log.warn(event, 'rate limit exceeded')
  }
}
