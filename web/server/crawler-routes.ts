import { unavailable } from '@marketplace/kit/problem.ts'
import type { FastifyInstance } from 'fastify'
import type { Category, Listing } from '../src/api/types.ts'
import { pathOf } from '../src/features/home/page-head.ts'
import { escapeHtml } from './escape.ts'
import { readPublic, type Neighbours } from './neighbours.ts'

// Nobody waits for it on a screen.
const sitemapTimeoutMs = 2_000
const sitemapAge = 'public, max-age=3600'

/** What crawlers look for: nothing is closed to them, since pages need the calls to draw; and where to begin. */
export function crawlerRoutes(app: FastifyInstance, neighbours: Neighbours): void {
  const robots = `User-agent: *\nAllow: /\n\nSitemap: ${neighbours.PUBLIC_ORIGIN}/sitemap.xml\n`
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', sitemapAge).type('text/plain; charset=utf-8').send(robots),
  )
  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .header('cache-control', sitemapAge)
      .type('application/xml; charset=utf-8')
      .send(await readSitemap(neighbours)),
  )
}

// The newest hundred: crawlers come back, and older ones are found by the categories.
async function readSitemap({ PUBLIC_ORIGIN, CATALOG_URL, SEARCH_URL }: Neighbours): Promise<string> {
  const signal = AbortSignal.timeout(sitemapTimeoutMs)
  const [categories, newest] = await Promise.all([
    readPublic<Category[]>(new URL('/api/categories', CATALOG_URL), signal),
    readPublic<Listing[]>(new URL('/api/listings?sort=newest&limit=100', SEARCH_URL), signal),
  ]).catch(() => {
    throw unavailable('The sitemap')
  })
  const paths = [
    '/',
    ...(categories?.body ?? []).map(({ slug }) => pathOf({ category: slug })),
    ...(newest?.body ?? []).map(({ id }) => `/listing/${id}`),
  ]
  const urls = paths.map((path) => `<url><loc>${escapeHtml(PUBLIC_ORIGIN + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}
