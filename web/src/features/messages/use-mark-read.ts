import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api/client/client.ts'
import { logFailure } from '../../api/client/log-failure.ts'
import { conversationsQuery } from '../../api/queries/messages.ts'
import { mapPages } from '../../api/queries/paged.ts'

/** Marks the conversation as read when its messages have loaded, and again for each new message while it is open. */
export function useMarkRead(conversationId: string, newestMessageId: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (newestMessageId === undefined) return
    const showAsRead = () =>
      queryClient.setQueryData(conversationsQuery.queryKey, (cached) =>
        mapPages(cached, (rows) => rows.map((row) => (row.id === conversationId ? { ...row, unread_count: 0 } : row))),
      )
    api
      .POST('/api/conversations/{id}/mark-read', { params: { path: { id: conversationId } } })
      .then(showAsRead)
      .catch((error: unknown) => logFailure('Failed to mark the conversation read:', error))
  }, [queryClient, conversationId, newestMessageId])
}
