import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { page, pageParameters, readCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { MessageText, MessageView, toMessageView } from './message.view.ts'
import { readMessages } from './read-messages.ts'
import { sendMessage } from './send-message.ts'

/** Sequence number of the oldest message on the page. The next page starts with the message before it. */
const MessageCursor = z.int().min(0)
const SendMessage = z.object({ conversation_id: Id, message_text: MessageText }).meta({ id: 'SendMessage' })

export function messagesRoutes(app: PublicApp, ctx: Context): void {
  const { db } = ctx

  app.get(
    '/api/conversations/:id/messages',
    {
      schema: {
        params: z.object({ id: z.string() }),
        querystring: querySchema(pageParameters),
        response: routeResponses({ 200: z.array(MessageView) }),
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const rows = await readMessages(ctx, {
        conversationId: request.params.id,
        readerId: callerOf(request).userId,
        before: readCursor(MessageCursor, cursor),
        rows: limit + 1,
      })
      // The rows are reversed only after `page`, so that `page` drops the oldest rows if the response is too large.
      return page(request, reply, { rows, limit, toView: toMessageView, positionOf: ({ seq }) => seq }).toReversed()
    },
  )

  app.post(
    '/api/messages',
    { schema: { body: SendMessage, response: routeResponses({ 201: MessageView }, 403, 404) } },
    (request, reply) => {
      const { conversation_id: conversationId, message_text: text } = request.body
      const draft = { conversationId, text, senderId: callerOf(request).userId }
      return runIdempotent({ db, request, reply, status: 201 }, async (trx) =>
        toMessageView(await sendMessage(trx, draft, ctx.settings)),
      )
    },
  )
}
