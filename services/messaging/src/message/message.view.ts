import { Id } from '@marketplace/kit/values/ids.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import type { Message } from './message.ts'

export const MessageText = text({
  min: 1,
  max: 1000,
  tooShort: 'A message must not be empty',
  tooLong: 'A message must have at most 1000 characters',
})

export const MessageView = z
  .strictObject({ id: Id, sender_id: Id, message_text: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'Message' })

export function toMessageView({ id, senderId, text, createdAt }: Message): z.output<typeof MessageView> {
  return { id, sender_id: senderId, message_text: text, created_at: createdAt.toISOString() }
}
