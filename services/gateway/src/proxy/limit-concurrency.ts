import { unavailable } from '@marketplace/kit/errors/problem.ts'
import type { FastifyReply } from 'fastify'
import type { Priority, Service } from '../routing/route.ts'

export interface PendingRequest {
  service: Service
  priority: Priority
  deadlineMs: number
  onDeadline: () => void
}

/**
 * Admits a request and counts it until its response is finished. Returns the timer of the deadline for the start of the
 * response. Throws `unavailable` (503) when the service has too many requests in progress.
 */
export type Admit = (pending: PendingRequest, reply: FastifyReply) => NodeJS.Timeout

// Share of the limit that each priority may use. Browsing is rejected long before bids and payments are.
const shares: Readonly<Record<Priority, number>> = { low: 0.5, normal: 0.75, critical: 1 }

/**
 * Limits the number of concurrent requests per service and their duration, so that a slow or overloaded service cannot
 * exhaust the gateway's memory and connections.
 */
export function limitConcurrency(maxPerService: number): Admit {
  const counts = new Map<Service, number>()
  return ({ service, priority, deadlineMs, onDeadline }, reply) => {
    const count = counts.get(service) ?? 0
    if (count >= maxPerService * shares[priority]) throw unavailable('This')
    counts.set(service, count + 1)
    // The deadline has its own timer, because undici's timeout starts only after a connection is available.
    const deadline = setTimeout(onDeadline, deadlineMs)
    // `on` is used because `close` is emitted only once anyway, and `once` would create a wrapper for each request.
    reply.raw.on('close', () => {
      clearTimeout(deadline)
      counts.set(service, (counts.get(service) ?? 1) - 1)
    })
    return deadline
  }
}
