import { unavailable } from '@marketplace/kit/errors/problem.ts'
import type { FastifyInstance } from 'fastify'
import type { Category, CardListing } from '../src/api/client/types.ts'
import { canonicalPath } from '../src/features/home/page-head.ts'
import { escapeHtml } from './escape.ts'
import { fetchPublic, type Upstreams } from './upstreams.ts'

// Timeout for loading the sitemap's data. It is longer than PRERENDER_TIMEOUT_MS, because no user waits for the
// sitemap.
const sitemapTimeoutMs = 2_000
const sitemapAge = 'public, max-age=3600'

/**
 * Adds robots.txt and sitemap.xml. robots.txt allows every path, including /api, because crawlers that render a page
 * must load its data.
 */
export function crawlerRoutes(app: FastifyInstance, upstreams: Upstreams): void {
  const robots = `User-agent: *\nAllow: /\n\nSitemap: ${upstreams.PUBLIC_ORIGIN}/sitemap.xml\n`
  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', sitemapAge).type('text/plain; charset=utf-8').send(robots),
  )
  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .header('cache-control', sitemapAge)
      .type('application/xml; charset=utf-8')
      .send(await readSitemap(upstreams)),
  )
}

// Builds the sitemap from the home page, the category pages and the newest 100 listings. Crawlers find older listings
// through the category pages.
async function readSitemap({ PUBLIC_ORIGIN, CATALOG_URL, SEARCH_URL }: Upstreams): Promise<string> {
  const signal = AbortSignal.timeout(sitemapTimeoutMs)
  const [categories, newest] = await Promise.all([
    fetchPublic<Category[]>(new URL('/api/categories', CATALOG_URL), signal),
    fetchPublic<CardListing[]>(new URL('/api/listings?fields=card&sort=newest&limit=100', SEARCH_URL), signal),
  ]).catch(() => {
    throw unavailable('The sitemap')
  })
  const paths = [
    '/',
    ...(categories?.body ?? []).map(({ slug }) => canonicalPath({ category: slug })),
    ...(newest?.body ?? []).map(({ id }) => `/listing/${id}`),
  ]
  const urls = paths.map((path) => `<url><loc>${escapeHtml(PUBLIC_ORIGIN + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}
