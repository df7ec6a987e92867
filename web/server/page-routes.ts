import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSettings } from './config.ts'
import { loadRenderPage } from './prerender.ts'
import { loadHomeData } from './home/load-home-data.ts'
import { loadListingData } from './load-listing-data.ts'
import { limitSearches, type RunSearch } from './home/limit-searches.ts'
import type { PageData } from './page-data.ts'
import { readTemplate } from './page-template.ts'
import { isIndexed, pageKind, moduleOf } from './pages.ts'

/**
 * Adds the catch-all route for pages. If the initial data cannot be loaded in time, the page is served without initial
 * data.
 */
export async function pageRoutes(app: FastifyInstance, dist: string, settings: WebSettings): Promise<void> {
  const [template, renderPage] = await Promise.all([readTemplate(dist, settings), loadRenderPage(dist)])
  const prerender = async (pageData: PageData | null, { url, log }: FastifyRequest) => {
    if (pageData === null || pageData.initialData === null || !pageData.canPrerender) return ''
    const { PUBLIC_ORIGIN: origin, SUPPORT_EMAIL: supportEmail } = settings
    return renderPage({ url, initialData: pageData.initialData, origin, supportEmail }).catch((error: unknown) => {
      log.error({ reason: String(error), url }, 'prerender failed')
      return ''
    })
  }
  const runSearch = limitSearches()
  app.get('/*', async (request, reply) => {
    const [path = '/', query = ''] = request.url.split('?')
    const kind = pageKind(path, request.headers.accept)
    if (kind === 'unknown-file') return reply.callNotFound()
    const pageData = await loadPageData({ path, query, settings, runSearch }).catch((error: unknown) => {
      request.log.warn({ reason: String(error), path }, 'prerender skipped')
      return null
    })
    if (!isIndexed(path)) reply.header('x-robots-tag', 'noindex')
    return reply
      .code(kind === 'page' ? (pageData?.status ?? 200) : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(template(path, pageData, await prerender(pageData, request)))
  })
}

interface RequestedPage {
  path: string
  query: string
  settings: WebSettings
  runSearch: RunSearch
}

async function loadPageData({ path, query, settings, runSearch }: RequestedPage): Promise<PageData | null> {
  if (path === '/') return loadHomeData(new URLSearchParams(query), settings, runSearch)
  const listingId = /^\/listing\/([^/]+)$/.exec(path)?.[1]
  if (listingId !== undefined) return loadListingData(listingId, settings)
  return moduleOf(path) === undefined ? null : emptyPageData()
}

// Returns page data that contains only the current time, for a page whose prerendered HTML shows no data from other
// services.
function emptyPageData(): PageData {
  return { status: 200, head: null, initialData: { at: new Date().toISOString() }, canPrerender: true }
}
