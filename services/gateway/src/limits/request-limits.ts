import type { Log } from '@marketplace/kit/log.ts'
import { counter } from '@marketplace/kit/metrics.ts'
import { DomainError } from '@marketplace/kit/problem.ts'
import type { GatewayConfig } from '../config.ts'
import type { RateClass } from '../routing/route.ts'
import type { Limit, Limiter } from './limiter.ts'

export type Limits = Readonly<Record<Exclude<RateClass, 'unlimited'>, Limit>>

/** The limits that the settings say. Pages and files count apart, so that loading a page leaves its calls alone. */
export function limitsOf(config: GatewayConfig): Limits {
  const reads = { burst: config.LIMIT_READS_PER_SECOND, perSecond: config.LIMIT_READS_PER_SECOND }
  return {
    read: reads,
    page: reads,
    write: { burst: config.LIMIT_WRITE_BURST, perSecond: config.LIMIT_WRITES_PER_SECOND },
    'sign-in': perMinute(config.LIMIT_SIGN_INS_PER_MINUTE),
    chat: perMinute(config.LIMIT_CHATS_PER_MINUTE),
  }
}

function perMinute(count: number): Limit {
  return { burst: count, perSecond: count / 60 }
}

/** Too many requests; `retryAfterSeconds` goes into the header. */
export class TooMany extends DomainError {
  readonly retryAfterSeconds: number

  constructor(waitMs: number) {
    super('limited', 'too_many_requests', 'Too many requests. Please slow down.')
    this.retryAfterSeconds = Math.ceil(waitMs / 1000)
  }
}

const refused = counter('gateway_limited_requests_total', 'Requests answered with 429.', ['rate'])

/** Counts a request for somebody; rejects with TooMany when they had their share. */
export type CountRequest = (rate: RateClass, who: { userId: string } | { network: string }) => Promise<void>

export function requestLimits(limiter: Limiter, limits: Limits, log: Log): CountRequest {
  const audit = auditTrail(log)
  return async (rate, who) => {
    if (rate === 'unlimited') return
    const key = 'userId' in who ? `${rate} user ${who.userId}` : `${rate} network ${who.network}`
    const waitMs = await limiter.take(key, limits[rate])
    if (waitMs === 0) return
    refused.inc({ rate })
    // An address is personal, a user's id is not.
    audit(key, { rate, userId: 'userId' in who ? who.userId : null })
    throw new TooMany(waitMs)
  }
}

const auditEveryMs = 60_000
const maxAudited = 1000

// One line a minute for each, however often it comes back.
function auditTrail(log: Log) {
  const loggedAt = new Map<string, number>()
  return (key: string, event: { rate: RateClass; userId: string | null }) => {
    const now = performance.now()
    if (now - (loggedAt.get(key) ?? -auditEveryMs) < auditEveryMs) return
    if (loggedAt.size >= maxAudited) loggedAt.clear()
    loggedAt.set(key, now)
    log.warn(event, 'too many requests')
  }
}
