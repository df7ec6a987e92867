import { routeResponses } from '@marketplace/kit/http/responses.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { TermView } from '../history/term.view.ts'

const maxTerms = 10

export function trendingRoutes(app: PublicApp, { trending }: Context): void {
  app.get(
    '/api/search/trending',
    { config: { open: true, compress: true }, schema: { response: routeResponses({ 200: z.array(TermView) }) } },
    async () => (await trending.top(maxTerms)).map((term) => ({ search_term: term })),
  )
}
