import { QueryClient } from '@tanstack/react-query'
import { prerender } from 'react-dom/static.edge'
import { StaticRouter } from 'react-router-dom'
import { site } from '../api/client/site.ts'
import { App } from './App.tsx'
import type { RenderPage } from './render-page.types.ts'
import { hydrateCache } from '../api/hydration/hydrate-cache.ts'

// If a part of a page is larger than this size, React sends the part later, with an inline script. The
// Content-Security-Policy forbids inline scripts, so no part may be sent later.
const progressiveChunkSize = Number.POSITIVE_INFINITY

/**
 * Prerenders a page as a signed-out visitor sees it. Runs on the web server, in a separate build
 * (build/server-render.ts).
 */
export const renderPage: RenderPage = async ({ url, initialData, ...settings }) => {
  Object.assign(site, settings)
  const queryClient = new QueryClient()
  const renderedAt = Date.parse(initialData.at)
  hydrateCache(queryClient, initialData, renderedAt)
  const failures: unknown[] = []
  const { prelude } = await prerender(
    <StaticRouter location={url}>
      <App queryClient={queryClient} renderedAt={renderedAt} />
    </StaticRouter>,
    { progressiveChunkSize, onError: (error) => void failures.push(error) },
  )
  const html = await new Response(prelude).text()
  if (failures.length > 0) throw failures[0]
  return html
}
