import type { Conversation } from '../../api/client/types.ts'

/** Returns the name of the other party. It is null while the users service is unavailable and is then replaced by "Member". */
export function displayName(conversation: Conversation): string {
  return conversation.other_user_name ?? 'Member'
}
