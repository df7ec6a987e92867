import type { Message } from '../../api/client/types.ts'

const pendingId = 'sending'

/** Builds the message that the thread shows while the real message is being sent. */
export function pendingMessage(senderId: string, text: string): Message {
  return { id: pendingId, sender_id: senderId, message_text: text, created_at: new Date().toISOString() }
}

export function isSending({ id }: Message): boolean {
  return id === pendingId
}
