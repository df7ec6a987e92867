import { answers } from '@marketplace/kit/http-responses.ts'
import type { PublicApp } from '@marketplace/kit/http.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { TermView } from '../history/term.view.ts'

const maxTerms = 10

export function trendingRoutes({ trending }: Context): (app: PublicApp) => void {
  return (app) => {
    app.get(
      '/api/search/trending',
      { config: { open: true }, schema: { response: answers({ 200: z.array(TermView) }) } },
      async () => (await trending.top(maxTerms)).map((term) => ({ search_term: term })),
    )
  }
}
