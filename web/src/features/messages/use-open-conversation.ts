import { useQuery } from '@tanstack/react-query'
import type { Conversation } from '../../api/client/types.ts'
import { conversationQuery } from '../../api/queries/messages.ts'

/**
 * Returns the conversation of the page's URL. It is requested by its id if it is not among the loaded ones. Undefined while it loads
 * and if it does not exist.
 */
export function useOpenConversation(id: string | null, loaded: Conversation[] | undefined): Conversation | undefined {
  const listed = loaded?.find((conversation) => conversation.id === id)
  const { data } = useQuery({
    ...conversationQuery(id ?? ''),
    enabled: id !== null && loaded !== undefined && listed === undefined,
  })
  return listed ?? (data?.id === id ? data : undefined)
}
