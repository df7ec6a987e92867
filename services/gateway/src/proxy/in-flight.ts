import { unavailable } from '@marketplace/kit/problem.ts'
import type { FastifyReply } from 'fastify'
import type { Importance, Service } from '../routing/route.ts'

/** Says whether an answer that has just come is still wanted; false once the client was told that there is none. */
export type IsInTime = () => boolean

export interface Asked {
  service: Service
  importance: Importance
  limitMs: number
}

export type Admit = (asked: Asked, reply: FastifyReply) => IsInTime

// How full a service's waiting room may be for one more: browsing is turned away long before a bid or a payment is.
const room: Readonly<Record<Importance, number>> = { browsing: 0.5, usual: 0.75, money: 1 }

/** Keeps a service that hangs or is overrun from taking the gateway along: limits what waits for it, and for how long. */
export function boundInFlight(maxPerService: number): Admit {
  const counts = new Map<Service, number>()
  return ({ service, importance, limitMs }, reply) => {
    const count = counts.get(service) ?? 0
    if (count >= maxPerService * room[importance]) throw unavailable('This')
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
