import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import { DomainError } from '@marketplace/kit/errors/problem.ts'
import { LRUCache } from 'lru-cache'
import type { GatewayConfig } from '../config.ts'
import type { RateClass } from '../routing/route.ts'
import type { Limit, Limiter } from './limiter.ts'

export type Limits = Readonly<Record<RateClass, Limit>>

/** A client of the gateway. An address is counted by its network. */
export type Client = { userId: string } | { network: string }

/**
 * Returns the configured limits. Pages and files have their own buckets, so that loading a page does not use up the API
 * limit.
 */
export function limitsOf(config: GatewayConfig): Limits {
  const reads = { burst: config.LIMIT_READS_PER_SECOND, perSecond: config.LIMIT_READS_PER_SECOND }
  return {
    read: reads,
    page: reads,
    write: { burst: config.LIMIT_WRITE_BURST, perSecond: config.LIMIT_WRITES_PER_SECOND },
    'sign-in': perMinute(config.LIMIT_SIGN_INS_PER_MINUTE),
    chat: perMinute(config.LIMIT_CHATS_PER_MINUTE),
    webhook: { burst: config.LIMIT_WEBHOOKS_PER_SECOND, perSecond: config.LIMIT_WEBHOOKS_PER_SECOND },
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

export interface RequestLimits {
  /** Counts a request. Rejects with `RateLimitExceeded` when the limit is exceeded. */
  count(rate: RateClass, client: Client): Promise<void>
  /** Counts a write of a signed-in user for the address too, which other accounts may share. Rejects likewise. */
  countSharedWrite(network: string): Promise<void>
  /** Charges a client for a request that was more expensive than others. */
  charge(rate: RateClass, client: Client, requests: number): Promise<void>
}

/** `addressFactor`: the writes of all accounts at one address together, as a multiple of those of one account. */
export function requestLimits(
  limiter: Limiter,
  { limits, addressFactor, log }: { limits: Limits; addressFactor: number; log: Log },
): RequestLimits {
  const audit = auditTrail(log)
  const take = async (rate: RateClass, key: string, limit: Limit, userId: string | null) => {
    const waitMs = await limiter.take(key, limit)
    if (waitMs === 0) return
    rejections.inc({ rate })
    // Only the user id is logged: an IP address is personal data.
    audit(key, { rate, userId })
    throw new RateLimitExceeded(waitMs)
  }
  const { burst, perSecond } = limits.write
  const shared = { burst: burst * addressFactor, perSecond: perSecond * addressFactor }
  return {
    count: (rate, client) => take(rate, keyOf(rate, client), limits[rate], 'userId' in client ? client.userId : null),
    countSharedWrite: (network) => take('write', `shared write network ${network}`, shared, null),
    charge: (rate, client, requests) => limiter.charge(keyOf(rate, client), limits[rate], requests),
  }
}

function keyOf(rate: RateClass, client: Client): string {
  return 'userId' in client ? `${rate} user ${client.userId}` : `${rate} network ${client.network}`
}

// Logs each key at most once per minute.
function auditTrail(log: Log) {
  const logged = new LRUCache<string, true>({ max: 1000, ttl: 60_000 })
  return (key: string, event: { rate: RateClass; userId: string | null }) => {
    if (logged.has(key)) return
    logged.set(key, true)
    log.warn(event, 'rate limit exceeded')
  }
}
