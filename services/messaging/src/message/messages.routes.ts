import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { MessageText, MessageView, toMessageView } from './message.view.ts'
import { readMessages } from './read-messages.ts'
import { sendMessage } from './send-message.ts'

const SendMessage = z.object({ conversation_id: Id, message_text: MessageText }).meta({ id: 'SendMessage' })

export function messagesRoutes(app: PublicApp, ctx: Context): void {
  const { db } = ctx

  app.get(
    '/api/conversations/:id/messages',
    { schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: z.array(MessageView) }) } },
    async (request) => {
      const messages = await readMessages(ctx, request.params.id, callerOf(request).userId)
      return messages.map(toMessageView)
    },
  )

  app.post(
    '/api/messages',
    { schema: { body: SendMessage, response: routeResponses({ 201: MessageView }) } },
    (request, reply) => {
      const { conversation_id: conversationId, message_text: text } = request.body
      const draft = { conversationId, text, senderId: callerOf(request).userId }
      return runIdempotent({ db, request, reply, status: 201 }, async (trx) =>
        toMessageView(await sendMessage(trx, draft)),
      )
    },
  )
}
