import type { Conversation } from '../../api/client/types.ts'

/**
 * Returns the name of the other user in a conversation. Returns "Member" while the users service is unavailable, because the
 * name is null then.
 */
export function displayName(conversation: Conversation): string {
  return conversation.other_user_name ?? 'Member'
}
