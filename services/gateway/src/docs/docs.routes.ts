import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../request-checks/http-error.ts'

const own = import.meta.dirname
const library = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

/**
 * Serves Swagger UI with the merged OpenAPI document. The gateway also serves Swagger UI's files, because the page's
 * content security policy allows only its own origin.
 */
export function docsRoutes(app: FastifyInstance): void {
  const page = readFileSync(join(own, 'docs.html'))
  const files = new Map([
    ['swagger-ui.css', { type: types.css, bytes: readFileSync(join(library, 'swagger-ui.css')) }],
    ['swagger-ui-bundle.js', { type: types.js, bytes: readFileSync(join(library, 'swagger-ui-bundle.js')) }],
    ['show-reference.js', { type: types.js, bytes: readFileSync(join(own, 'show-reference.js')) }],
  ])
  app.get('/api/docs', async (_request, reply) => reply.type(types.html).header('cache-control', 'no-cache').send(page))
  app.get('/api/docs/{file}', async (request, reply) => {
    const file = files.get(request.target?.parameters[0] ?? '')
    if (!file) throw new HttpError(404)
    return reply.type(file.type).header('cache-control', 'max-age=3600').send(file.bytes)
  })
}
