import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { replyToQuestion } from './reply-to-question.ts'

const maxMessage = 4000

const ChatMessage = text({
  min: 1,
  max: maxMessage,
  tooShort: 'A message must not be empty',
  tooLong: `A message must have at most ${maxMessage} characters`,
})

// An entry of the chat history. The API specification requires `id` and `timestamp`, but this service does not use
// them.
const ChatEntry = z.object({
  id: z.union([text({ min: 1, max: 100 }), z.int()]),
  text: text({ max: maxMessage }),
  sender: z.enum(['bot', 'user']),
  timestamp: z.union([z.iso.datetime({ offset: true }), z.int()]),
})

const Chat = z
  .object({ message: ChatMessage, conversation_history: z.array(ChatEntry).max(10).default([]) })
  .meta({ id: 'Chat' })

const ChatResponse = z.strictObject({ response: z.string() }).meta({ id: 'ChatAnswer' })

export function chatRoutes(app: PublicApp, ctx: Context): void {
  app.post(
    '/api/chat',
    { config: { open: true }, schema: { body: Chat, response: routeResponses({ 200: ChatResponse }) } },
    async (request) => {
      const { message, conversation_history: history } = request.body
      return { response: await replyToQuestion(ctx, { message, history }) }
    },
  )
}
