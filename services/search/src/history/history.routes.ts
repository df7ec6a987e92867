import type { Caller } from '@marketplace/kit/auth/caller.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import { text } from '@marketplace/kit/http/text.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { addressHeader, networkOf, readAddress } from '@marketplace/kit/http/client-address.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { TermView } from './term.view.ts'
import { searchTerm } from './search-term.ts'
import { readHistory, recordSearch, type Search, type Searcher } from './searches.repo.ts'

const SessionId = text({ max: 100 })
const HistoryQuery = querySchema({ session_id: SessionId.optional() })

const TrackSearch = z
  .object({ search_term: text({ max: 200 }), session_id: SessionId.optional(), result_count: z.int().min(0) })
  .meta({ id: 'TrackSearch' })
const Tracked = z.object({ tracked: z.boolean() }).meta({ id: 'Tracked' })

const maxTerms = 10

export function historyRoutes(app: PublicApp, { db, settings }: Context): void {
  app.get(
    '/api/search/history',
    {
      config: { open: true },
      schema: { querystring: HistoryQuery, response: routeResponses({ 200: z.array(TermView) }) },
    },
    async (request) => {
      const searcher = searcherOf(request.caller, request.query.session_id)
      const terms = searcher ? await readHistory(db, searcher, maxTerms) : []
      return terms.map((term) => ({ search_term: term }))
    },
  )

  app.post(
    '/api/search/track',
    {
      config: { open: true, acceptsKey: true },
      schema: { body: TrackSearch, response: routeResponses({ 200: Tracked }) },
    },
    async (request, reply) => {
      const search = toSearch(request)
      if (search.term.text === '') return { tracked: false }
      return runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
        await recordSearch(trx, search, settings.MAX_COUNTED_TERMS_PER_HOUR)
        return { tracked: true }
      })
    },
  )
}

interface TrackRequest {
  caller: Caller | null
  headers: FastifyRequest['headers']
  body: z.output<typeof TrackSearch>
}

function toSearch({ caller, headers, body }: TrackRequest): Search {
  const searcher = searcherOf(caller, body.session_id)
  if (!searcher) throw invalid('session_id', 'Must not be empty when signed out')
  const address = readAddress(headers[addressHeader])
  return {
    searcher,
    term: searchTerm(body.search_term),
    hasResults: body.result_count > 0,
    network: address === null ? null : networkOf(address),
  }
}

// A session's searches never become part of a user's history, so the session id of a signed-in user is ignored.
function searcherOf(caller: Caller | null, sessionId: string | undefined): Searcher | null {
  if (caller) return { userId: caller.userId }
  return sessionId ? { sessionId } : null
}
