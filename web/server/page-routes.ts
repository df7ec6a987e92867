import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSettings } from './config.ts'
import { readDrawing } from './drawing.ts'
import { fillHome } from './fill-home.ts'
import { fillListing } from './fill-listing.ts'
import type { Filling } from './filling.ts'
import { readTemplate } from './page-template.ts'
import { answerFor, moduleOf } from './pages.ts'

/** Every address that is no file. Catalog or search slow or down: the plain page, which asks for itself. */
export async function pageRoutes(app: FastifyInstance, dist: string, settings: WebSettings): Promise<void> {
  const [page, draw] = await Promise.all([readTemplate(dist, settings), readDrawing(dist)])
  const drawn = async (filling: Filling | null, { url, log }: FastifyRequest) => {
    if (filling === null || filling.answer === null || !filling.isDrawn) return ''
    const { PUBLIC_ORIGIN: origin, SUPPORT_EMAIL: email } = settings
    return draw({ address: url, answer: filling.answer, origin, supportEmail: email }).catch((error: unknown) => {
      log.error({ reason: String(error), url }, 'a page could not be drawn')
      return ''
    })
  }
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
      .send(page(path, filling, await drawn(filling, request)))
  })
}

async function fill(path: string, query: string, settings: WebSettings): Promise<Filling | null> {
  if (path === '/') return fillHome(new URLSearchParams(query), settings)
  const listingId = /^\/listing\/([^/]+)$/.exec(path)?.[1]
  if (listingId !== undefined) return fillListing(listingId, settings)
  return moduleOf(path) === undefined ? null : unfilled()
}

// Nothing public to say: what it looks like before it is known who looks.
function unfilled(): Filling {
  return { status: 200, head: null, answer: { at: new Date().toISOString() }, isDrawn: true }
}
