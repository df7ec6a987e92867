import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** Serves the committed OpenAPI document of all public routes. */
export function openapiRoute(app: FastifyInstance, path: string): void {
  const document = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')
  app.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
}
