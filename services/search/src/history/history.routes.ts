import type { Caller } from '@marketplace/kit/auth.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import type { PublicApp } from '@marketplace/kit/http.ts'
import { answerOnce } from '@marketplace/kit/idempotency.ts'
import { invalid } from '@marketplace/kit/problem.ts'
import { text } from '@marketplace/kit/text.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { queryOf } from '../query.ts'
import { TermView } from './term.view.ts'
import { searchTerm } from './search-term.ts'
import { keepSearch, readHistory, type Search, type Searcher } from './searches.repo.ts'

const SessionId = text({ max: 100 })
const HistoryQuery = queryOf({ session_id: SessionId.optional() })

const TrackSearch = z
  .object({ search_term: text({ max: 200 }), session_id: SessionId.optional(), result_count: z.int().min(0) })
  .meta({ id: 'TrackSearch' })
const Tracked = z.object({ tracked: z.boolean() }).meta({ id: 'Tracked' })

const maxTerms = 10

export function historyRoutes({ db }: Context): (app: PublicApp) => void {
  return (app) => {
    app.get(
      '/api/search/history',
      { config: { open: true }, schema: { querystring: HistoryQuery, response: answers({ 200: z.array(TermView) }) } },
      async (request) => {
        const searcher = searcherOf(request.caller, request.query.session_id)
        const terms = searcher ? await readHistory(db, searcher, maxTerms) : []
        return terms.map((term) => ({ search_term: term }))
      },
    )

    app.post(
      '/api/search/track',
      { config: { open: true }, schema: { body: TrackSearch, response: answers({ 200: Tracked }) } },
      async (request, reply) => {
        const search = toSearch(request.caller, request.body)
        if (search.term.text === '') return { tracked: false }
        return answerOnce({ db, request, reply, status: 200 }, async (trx) => {
          await keepSearch(trx, search)
          return { tracked: true }
        })
      },
    )
  }
}

function toSearch(caller: Caller | null, body: z.output<typeof TrackSearch>): Search {
  const searcher = searcherOf(caller, body.session_id)
  if (!searcher) throw invalid('session_id', 'Signed out, session_id must not be empty')
  return { searcher, term: searchTerm(body.search_term), hasFound: body.result_count > 0 }
}

// Signed in, a session's id says nothing: what was tracked signed out stays the browser's, and the other way round.
function searcherOf(caller: Caller | null, sessionId: string | undefined): Searcher | null {
  if (caller) return { userId: caller.userId }
  return sessionId ? { sessionId } : null
}
