import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { CursorInstant, page, pageParameters, readCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent, runIdempotentAfter } from '@marketplace/kit/idempotency/idempotency.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { MessageText } from '../message/message.view.ts'
import type { ConversationPosition } from './conversation.ts'
import { ConversationView, toConversationView } from './conversation.view.ts'
import { listConversations } from './conversations.repo.ts'
import { markRead } from './mark-read.ts'
import { openConversation, prepareConversation } from './open-conversation.ts'
import { readConversation } from './read-conversation.ts'

const OpenConversation = z.object({ listing_id: Id, message_text: MessageText }).meta({ id: 'OpenConversation' })
const Unread = z.strictObject({ unread_count: z.literal(0) }).meta({ id: 'Unread' })
const ConversationCursor: z.ZodType<ConversationPosition> = z.strictObject({ lastAt: CursorInstant, id: Id })
const params = z.object({ id: z.string() })

export function conversationsRoutes(app: PublicApp, ctx: Context): void {
  const { db } = ctx

  app.post(
    '/api/conversations',
    { schema: { body: OpenConversation, response: routeResponses({ 201: ConversationView }, 403, 404) } },
    (request, reply) => {
      const { listing_id: listingId, message_text: text } = request.body
      const prepare = () => prepareConversation(ctx, { listingId, text, buyerId: callerOf(request).userId })
      return runIdempotentAfter({ db, request, reply, status: 201 }, prepare, async (trx, { draft, seller }) =>
        toConversationView(await openConversation(trx, { draft, text, quotas: ctx.settings }), seller),
      )
    },
  )

  app.get(
    '/api/conversations',
    {
      schema: {
        querystring: querySchema(pageParameters),
        response: routeResponses({ 200: z.array(ConversationView) }),
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const after = readCursor(ConversationCursor, cursor)
      const rows = await listConversations(db, callerOf(request).userId, { after, rows: limit + 1 })
      const known = await ctx.profiles.get(rows.slice(0, limit).map(({ otherUserId }) => otherUserId))
      return page(request, reply, {
        rows,
        limit,
        toView: (conversation) => toConversationView(conversation, known.get(conversation.otherUserId)),
        positionOf: ({ lastAt, id }) => ({ lastAt, id }),
      })
    },
  )

  app.get(
    '/api/conversations/:id',
    { schema: { params, response: routeResponses({ 200: ConversationView }) } },
    async (request) => {
      const conversation = await readConversation(ctx, request.params.id, callerOf(request).userId)
      const known = await ctx.profiles.get([conversation.otherUserId])
      return toConversationView(conversation, known.get(conversation.otherUserId))
    },
  )

  app.post(
    '/api/conversations/:id/mark-read',
    { schema: { params, response: routeResponses({ 200: Unread }) } },
    (request, reply) =>
      runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
        await markRead(trx, request.params.id, callerOf(request).userId)
        return { unread_count: 0 as const }
      }),
  )
}
