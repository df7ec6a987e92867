import { useQuery } from '@tanstack/react-query'
import type { Conversation } from '../../api/client/types.ts'
import { conversationQuery } from '../../api/queries/messages.ts'

/**
 * Returns the conversation with the id in the page's URL. Requests it if it is not among the loaded conversations.
 * Returns undefined while it loads or if it does not exist.
 */
export function useOpenConversation(id: string | null, loaded: Conversation[] | undefined): Conversation | undefined {
  const listed = loaded?.find((conversation) => conversation.id === id)
  const { data } = useQuery({
    ...conversationQuery(id ?? ''),
    enabled: id !== null && loaded !== undefined && listed === undefined,
  })
  return listed ?? (data?.id === id ? data : undefined)
}
