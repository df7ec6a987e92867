import type { Message } from '../../api/types.ts'

const idWhileSending = 'sending'

/** A message as its thread shows it before the server has it. */
export function messageBeingSent(senderId: string, text: string): Message {
  return { id: idWhileSending, sender_id: senderId, message_text: text, created_at: new Date().toISOString() }
}

export function isSending({ id }: Message): boolean {
  return id === idWhileSending
}
