import { unavailable } from '@marketplace/kit/problem.ts'
import type { FastifyReply } from 'fastify'
import type { Service } from '../routing/route.ts'

/** Says whether an answer that has just come is still wanted; false once the client was told that there is none. */
export type IsInTime = () => boolean

export type Admit = (service: Service, limitMs: number, reply: FastifyReply) => IsInTime

/** Keeps a service that hangs from taking the gateway along: limits what waits for it, and for how long. */
export function boundInFlight(maxPerService: number): Admit {
  const counts = new Map<Service, number>()
  return (service, limitMs, reply) => {
    const count = counts.get(service) ?? 0
    if (count >= maxPerService) throw unavailable('This')
    counts.set(service, count + 1)
    let isOverdue = false
    // The plugin's own limit starts only when a connection is free.
    const limit = setTimeout(() => {
      isOverdue = true
      reply.send(unavailable('This'))
    }, limitMs)
    reply.raw.once('close', () => {
      clearTimeout(limit)
      counts.set(service, (counts.get(service) ?? 1) - 1)
    })
    return () => {
      clearTimeout(limit)
      return !isOverdue
    }
  }
}
