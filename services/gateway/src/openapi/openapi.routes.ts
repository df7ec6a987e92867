import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** The document of everything this gateway routes, as it was merged when the gateway was built. */
export function openapiRoute(app: FastifyInstance, path: string): void {
  const document = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')
  app.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
}
