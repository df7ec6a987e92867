import { QueryClient } from '@tanstack/react-query'
import { prerender } from 'react-dom/static.edge'
import { StaticRouter } from 'react-router-dom'
import { site } from '../api/site.ts'
import { App } from './App.tsx'
import type { DrawPage } from './draw-page.types.ts'
import { fillCache } from './fill-cache.ts'

// A large part would come behind the rest, with an inline script that puts it in its place.
const progressiveChunkSize = Number.POSITIVE_INFINITY

/** The page as somebody sees it of whom nothing is known yet. Runs on the server, in a build of its own. */
export const drawPage: DrawPage = async ({ address, answer, ...settings }) => {
  Object.assign(site, settings)
  const queryClient = new QueryClient()
  const drawnAt = Date.parse(answer.at)
  fillCache(queryClient, answer, drawnAt)
  const failures: unknown[] = []
  const { prelude } = await prerender(
    <StaticRouter location={address}>
      <App queryClient={queryClient} drawnAt={drawnAt} />
    </StaticRouter>,
    { progressiveChunkSize, onError: (error) => void failures.push(error) },
  )
  const html = await new Response(prelude).text()
  if (failures.length > 0) throw failures[0]
  return html
}
