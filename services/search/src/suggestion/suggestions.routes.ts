import { answers } from '@marketplace/kit/http-responses.ts'
import type { PublicApp } from '@marketplace/kit/http.ts'
import { text } from '@marketplace/kit/text.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { recentAnswers } from '../recent-answers.ts'
import { suggest } from './suggest.ts'
import { suggestionTypes } from './suggestion.ts'

// Not `queryOf`: an empty one is no mistake here, a missing one is.
const SuggestionsQuery = z.object({ q: text({ max: 200 }) })
const SuggestionView = z.object({ title: z.string(), type: z.enum(suggestionTypes) }).meta({ id: 'Suggestion' })

const maxKept = 1000

export function suggestionsRoutes(ctx: Context): (app: PublicApp) => void {
  // Many type the same first letters.
  const suggestFor = recentAnswers(maxKept, (typed) => suggest(ctx, typed))
  return (app) => {
    app.get(
      '/api/search/suggestions',
      {
        config: { open: true },
        schema: { querystring: SuggestionsQuery, response: answers({ 200: z.array(SuggestionView) }) },
      },
      async (request) => (request.query.q === '' ? [] : suggestFor(request.query.q)),
    )
  }
}
