import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import { DomainError, unavailable } from '@marketplace/kit/errors/problem.ts'
import type { RetryBudget } from './retry-policy.ts'
import { forwardingOf, serviceOf, targetOf, type ProxyReply } from './forwarded-request.ts'

const failures = counter(
  'gateway_upstream_failures_total',
  'Requests that failed without a response from the service.',
  ['upstream'],
)

/**
 * Returns the delay, in milliseconds, before a failed request is retried, or null if it is not retried. A retry is
 * deducted from the budget. `error` is null if the service sent a response.
 */
export function takeRetry(retryBudget: RetryBudget, reply: ProxyReply, error: Error | null): number | null {
  if (error === null || reply.sent) return null
  const { request } = reply
  // A streamed body cannot be sent again.
  if (targetOf(request).route.body === 'stream') return null
  const forwarding = forwardingOf(request)
  const delayMs = retryBudget.retryDelay(error, request, forwarding.retries)
  if (delayMs !== null) forwarding.retries += 1
  return delayMs
}

/** Sends `error.cause` if the gateway rejected the request body, otherwise `unavailable` (503). */
export function failRequest(reply: ProxyReply, error: Error): void {
  if (error.cause instanceof DomainError) return void reply.header('connection', 'close').send(error.cause)
  const service = serviceOf(reply.request)
  failures.inc({ upstream: service })
  reply.log.warn({ err: error, service }, 'upstream request failed')
  reply.send(unavailable('This'))
}
