import { missing } from '@marketplace/kit/errors/problem.ts'
import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { DraftRow } from '../db.ts'
import { DraftBody } from './draft-body.ts'
import { deleteDraft, findDrafts } from './drafts.repo.ts'
import { saveDraft } from './save-draft.ts'

const DraftView = z
  .strictObject({
    id: z.uuidv7(),
    body: z.record(z.string(), z.unknown()),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Draft' })

const params = z.object({ id: z.string() })
const SaveDraftQuery = querySchema({
  based_on: z.iso
    .datetime()
    .optional()
    .meta({ description: 'The updated_at of the draft that was edited; another one is 409 draft_changed' }),
})

/** Routes for a member's drafts. The list has no pages, because a member has at most MAX_DRAFTS drafts. */
export function draftsRoutes(app: PublicApp, ctx: Context): void {
  const { db, settings } = ctx
  const list = { response: routeResponses({ 200: z.array(DraftView) }) }
  app.get('/api/drafts', { schema: list }, async (request) =>
    (await findDrafts(db, callerOf(request).userId, settings.MAX_DRAFTS)).map(toDraftView),
  )

  const save = {
    params,
    querystring: SaveDraftQuery,
    body: DraftBody,
    response: routeResponses({ 200: DraftView }, 404),
  }
  app.put('/api/drafts/:id', { schema: save }, (request, reply) => {
    const { based_on: basedOn } = request.query
    const draft = {
      id: request.params.id.toLowerCase(),
      ownerId: callerOf(request).userId,
      body: request.body,
      basedOn: basedOn === undefined ? null : new Date(basedOn),
    }
    return runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
      if (!isId(draft.id)) throw missing('draft')
      return toDraftView(await saveDraft(ctx, trx, draft))
    })
  })

  const remove = { params, response: routeResponses({ 200: z.strictObject({}) }, 404) }
  app.delete('/api/drafts/:id', { schema: remove }, (request, reply) => {
    const { id } = request.params
    const { userId } = callerOf(request)
    return runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
      if (!isId(id) || !(await deleteDraft(trx, id, userId))) throw missing('draft')
      return {}
    })
  })
}

function toDraftView({ id, body, updated_at: updatedAt }: DraftRow): z.output<typeof DraftView> {
  return { id, body: { ...body }, updated_at: updatedAt.toISOString() }
}
