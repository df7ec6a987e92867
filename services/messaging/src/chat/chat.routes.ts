import type { PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { text } from '@marketplace/kit/text.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { answerQuestion } from './answer-question.ts'

const maxMessage = 4000

const ChatMessage = text({
  min: 1,
  max: maxMessage,
  tooShort: 'A message must not be empty',
  tooLong: `A message must have at most ${maxMessage} characters`,
})

// Id and time are the page's own; they are asked for, and not used.
const ChatEntry = z.object({
  id: z.union([text({ min: 1, max: 100 }), z.int()]),
  text: text({ max: maxMessage }),
  sender: z.enum(['bot', 'user']),
  timestamp: z.union([z.iso.datetime({ offset: true }), z.int()]),
})

const Chat = z
  .object({ message: ChatMessage, conversation_history: z.array(ChatEntry).max(10).default([]) })
  .meta({ id: 'Chat' })

const ChatAnswer = z.strictObject({ response: z.string() }).meta({ id: 'ChatAnswer' })

export function chatRoutes(app: PublicApp, ctx: Context): void {
  app.post(
    '/api/chat',
    { config: { open: true }, schema: { body: Chat, response: answers({ 200: ChatAnswer }) } },
    async (request) => {
      const { message, conversation_history: history } = request.body
      return { response: await answerQuestion(ctx, { message, history }) }
    },
  )
}
