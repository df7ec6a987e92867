import type { Conversation } from '../../api/client/types.ts'

/**
 * Returns the name of the other user in a conversation, or "Member" if the name is null because the users service is
 * unavailable.
 */
export function displayName(conversation: Conversation): string {
  return conversation.other_user_name ?? 'Member'
}
