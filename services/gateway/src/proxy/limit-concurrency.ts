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
 * Admits a request and counts it until its response is closed. Returns the timer that calls `onDeadline` if the
 * response does not start in time. Throws `unavailable` (503) if the service has too many requests in progress.
 */
export type Admit = (pending: PendingRequest, reply: FastifyReply) => NodeJS.Timeout

// Share of the maximum number of concurrent requests to a service that each priority can use.
const shares: Readonly<Record<Priority, number>> = { low: 0.5, normal: 0.75, critical: 1 }

/**
 * Limits how many requests to a service run at the same time and how long each waits, so that a slow or overloaded
 * service cannot exhaust the gateway's memory and connections.
 */
export function limitConcurrency(maxPerService: number): Admit {
  const counts = new Map<Service, number>()
  return ({ service, priority, deadlineMs, onDeadline }, reply) => {
    const count = counts.get(service) ?? 0
    if (count >= maxPerService * shares[priority]) throw unavailable('This')
    counts.set(service, count + 1)
    // The deadline has its own timer, because undici's timeout starts only after a connection is available.
    const deadline = setTimeout(onDeadline, deadlineMs)
    // `on` is sufficient, because `close` is emitted only once. `once` would create a wrapper for each request.
    reply.raw.on('close', () => {
      clearTimeout(deadline)
      counts.set(service, (counts.get(service) ?? 1) - 1)
    })
    return deadline
  }
}
