import { timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { dashboardRoutes } from './dashboard.ts'
import type { CardNetwork } from '../serve.ts'
import { Fault } from './faults.ts'

/** Serves the fault endpoint on a separate port that no page or service uses, protected by the secret key. */
export function buildFaultApp(
  network: Pick<CardNetwork, 'database' | 'faults' | 'sendsWebhooks' | 'onChange'>,
  secret: string,
): FastifyInstance {
  const { faults } = network
  const app = fastify({ logger: false, bodyLimit: 65_536, forceCloseConnections: true })
  app.addHook('onRequest', (request, reply, next) => {
    if (isSame(request.headers.authorization ?? '', `Bearer ${secret}`)) next()
    else reply.code(401).send({ error: 'The secret key is required.' })
  })
  app.get('/_test/faults', () => faults.list())
  app.post('/_test/faults', (request, reply) => {
    const fault = Fault.safeParse(request.body)
    if (!fault.success) return reply.code(400).send({ error: fault.error.message })
    return reply.code(201).send({ id: faults.add(fault.data) })
  })
  app.delete('/_test/faults', (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
  dashboardRoutes(app, network)
  return app
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
