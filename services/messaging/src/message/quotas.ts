import { conflict } from '@marketplace/kit/errors/problem.ts'
import type { MessagingSettings } from '../config.ts'

export type Quotas = Pick<MessagingSettings, 'MAX_CONVERSATIONS_PER_DAY' | 'MAX_MESSAGES_PER_DAY'>

/** Throws `too_many_messages` (409) if `count` exceeds the daily limit. `count` includes the message to send. */
export function checkMessages(count: number, { MAX_MESSAGES_PER_DAY: max }: Quotas): void {
  if (count > max) throw conflict('too_many_messages', `You can send ${format(max)} messages a day. Try again later.`)
}

/**
 * Throws `too_many_conversations` (409) if `count` exceeds the daily limit. `count` includes the conversation to start.
 */
export function checkConversations(count: number, { MAX_CONVERSATIONS_PER_DAY: max }: Quotas): void {
  if (count <= max) return
  throw conflict('too_many_conversations', `You can start ${format(max)} new conversations a day. Try again later.`)
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}
