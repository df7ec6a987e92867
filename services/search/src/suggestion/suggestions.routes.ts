import { routeResponses } from '@marketplace/kit/http/responses.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Context } from '../context.ts'
import { suggest } from './suggest.ts'
import { suggestionTypes } from './suggestion.ts'

// This schema is not built with `querySchema`, which treats an empty parameter as missing. Here, an empty `q` is valid,
// but a missing `q` is not.
const SuggestionsQuery = z.object({ q: text({ max: 200 }) })
const SuggestionView = z
  .object({ title: z.string(), type: z.enum(suggestionTypes), slug: z.string().nullable() })
  .meta({ id: 'Suggestion' })

const maxCachedQueries = 1000

export function suggestionsRoutes(app: PublicApp, ctx: Context): void {
  // Suggestions are cached, because many users type the same first letters.
  const suggestFor = createAdaptiveCache(maxCachedQueries, (typed) => suggest(ctx, typed))
  app.get(
    '/api/search/suggestions',
    {
      config: { open: true },
      schema: { querystring: SuggestionsQuery, response: routeResponses({ 200: z.array(SuggestionView) }) },
    },
    async (request) => (request.query.q === '' ? [] : suggestFor(request.query.q)),
  )
}
