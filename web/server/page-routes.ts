import type { FastifyInstance } from 'fastify'
import type { WebSettings } from './config.ts'
import { fillHome } from './fill-home.ts'
import { fillListing } from './fill-listing.ts'
import type { Filling } from './filling.ts'
import { readTemplate } from './page-template.ts'
import { answerFor } from './pages.ts'

/** Every address that is no file. Catalog or search slow or down: the plain page, which asks for itself. */
export async function pageRoutes(app: FastifyInstance, dist: string, settings: WebSettings): Promise<void> {
  const page = await readTemplate(dist, settings)
  app.get('/*', async (request, reply) => {
    const [path = '/', query = ''] = request.url.split('?')
    const answer = answerFor(path, request.headers.accept)
    if (answer === 'unknown-file') return reply.callNotFound()
    const filling = await fill(path, query, settings).catch((error: unknown) => {
      request.log.warn({ reason: String(error), path }, 'a page goes out plain')
      return null
    })
    return reply
      .code(answer === 'page' ? (filling?.status ?? 200) : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page(path, filling))
  })
}

async function fill(path: string, query: string, settings: WebSettings): Promise<Filling | null> {
  if (path === '/') return fillHome(new URLSearchParams(query), settings)
  const listingId = /^\/listing\/([^/]+)$/.exec(path)?.[1]
  return listingId === undefined ? null : fillListing(listingId, settings)
}
