import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { Id } from '@marketplace/kit/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { MessageText } from '../message/message.view.ts'
import { ConversationView, toConversationView, toConversationViews } from './conversation.view.ts'
import { listConversations } from './conversations.repo.ts'
import { markRead } from './mark-read.ts'
import { openConversation } from './open-conversation.ts'

const OpenConversation = z.object({ listing_id: Id, message_text: MessageText }).meta({ id: 'OpenConversation' })
const Unread = z.strictObject({ unread_count: z.literal(0) }).meta({ id: 'Unread' })
const params = z.object({ id: z.string() })

export function conversationsRoutes(app: PublicApp, ctx: Context): void {
  app.post(
    '/api/conversations',
    { schema: { body: OpenConversation, response: { 201: ConversationView } } },
    async (request, reply) => {
      const { listing_id: listingId, message_text: text } = request.body
      const conversation = await openConversation(ctx, { listingId, text, buyerId: callerOf(request).userId })
      return reply.code(201).send(await toConversationView(ctx, conversation))
    },
  )

  app.get('/api/conversations', { schema: { response: { 200: z.array(ConversationView) } } }, async (request) =>
    toConversationViews(ctx, await listConversations(ctx.db, callerOf(request).userId)),
  )

  app.post('/api/conversations/:id/mark-read', { schema: { params, response: { 200: Unread } } }, async (request) => {
    await markRead(ctx, request.params.id, callerOf(request).userId)
    return { unread_count: 0 as const }
  })
}
