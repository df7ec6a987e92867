import { missing, unauthenticated } from '@marketplace/kit/errors/problem.ts'
import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { page, pageParameters, readCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findAccountOfSession } from '../account/accounts.repo.ts'
import type { Context } from '../context.ts'
import { endOtherSessions, endOwnSession } from './end-session.ts'
import { listSessions, type ListedSession } from './session-list.repo.ts'

const SessionView = z
  .strictObject({
    id: Id,
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    /** Browser and operating system, for example "Firefox on Linux". */
    device: z.string(),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' })

const EndedSessions = z.strictObject({ ended_count: z.int().min(0) }).meta({ id: 'EndedSessions' })
const Nothing = z.strictObject({})
const Position = z.object({ id: Id })

export function sessionsRoutes(app: PublicApp, ctx: Context): void {
  const url = '/api/users/me/sessions'

  app.get(
    url,
    { schema: { querystring: querySchema(pageParameters), response: routeResponses({ 200: z.array(SessionView) }) } },
    async (request, reply) => {
      const { userId, sessionId } = await activeCallerOf(ctx, request)
      const { limit, cursor } = request.query
      const afterId = readCursor(Position, cursor)?.id ?? null
      const maxAgeMs = ctx.settings.SESSION_MAX_AGE_MS
      const rows = await listSessions(ctx.db, userId, { maxAgeMs, afterId, rows: limit + 1 })
      return page(request, reply, {
        rows,
        limit,
        toView: (session) => toView(session, sessionId),
        positionOf: ({ id }) => ({ id }),
      })
    },
  )

  app.post(
    `${url}/end-others`,
    { schema: { response: routeResponses({ 200: EndedSessions }) } },
    async (request, reply) => {
      const caller = await activeCallerOf(ctx, request)
      return runIdempotent({ db: ctx.db, request, reply, status: 200 }, async (trx) => ({
        ended_count: await endOtherSessions(trx, ctx, caller),
      }))
    },
  )

  app.delete(
    `${url}/:id`,
    { schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: Nothing }) } },
    async (request, reply) => {
      const { userId } = await activeCallerOf(ctx, request)
      const { id } = request.params
      if (!isId(id)) throw missing('session')
      return runIdempotent({ db: ctx.db, request, reply, status: 200 }, async (trx) => {
        await endOwnSession(trx, ctx, { userId, id })
        return {}
      })
    },
  )
}

// Returns the user who sent the request, or throws `unauthenticated` (401) if the session has ended. Reads the
// database, because the gateway notices the end of a session up to one second late.
async function activeCallerOf({ db }: Context, request: FastifyRequest) {
  const caller = callerOf(request)
  if (!(await findAccountOfSession(db, caller.sessionId))) throw unauthenticated()
  return caller
}

function toView(session: ListedSession, currentId: string): z.output<typeof SessionView> {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    device: session.device ?? 'Unknown device',
    is_current: session.id === currentId,
  }
}
