import type { Conversation } from '../../api/types.ts'

/** Names are null while the users service is down. */
export function nameOf(conversation: Conversation): string {
  return conversation.other_user_name ?? 'Member'
}
