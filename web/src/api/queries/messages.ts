import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../client/http.ts'
import { fetchPage, newestQuery, pagedQuery, type ListPage } from './paged.ts'
import { privateQueryKey } from './queries.ts'
import type { Conversation, Message } from '../client/types.ts'

/** Number of newest conversations or messages that a poll requests. */
const polledRows = 10

const conversations = {
  queryKey: [privateQueryKey, 'conversations'],
  load: (query: Record<string, string>) => fetchPage<Conversation>('/api/conversations', query),
  failure: 'Failed to load conversations:',
  // Conversations are polled, because they have no live stream.
  pollMs: 5_000,
  limit: polledRows,
}

export const conversationsQuery = pagedQuery(conversations)
export const newestConversationsQuery = newestQuery(conversations)

export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'conversation', id],
    queryFn: async (): Promise<Conversation> => {
      const response = await callApi(new Request(`/api/conversations/${encodeURIComponent(id)}`))
      return response.json()
    },
    meta: { failure: 'Failed to load conversation:' },
  })
}

/** Loads one page of messages. The API sends it oldest first; the result is newest first. */
async function loadMessages(conversationId: string, query: Record<string, string>): Promise<ListPage<Message>> {
  const page = await fetchPage<Message>(`/api/conversations/${conversationId}/messages`, query)
  return { ...page, items: page.items.toReversed() }
}

function messages(conversationId: string) {
  return {
    queryKey: [privateQueryKey, 'messages', conversationId],
    load: (query: Record<string, string>) => loadMessages(conversationId, query),
    failure: 'Failed to load messages:',
    // Messages are polled, because conversations have no live stream.
    pollMs: 3_000,
    limit: polledRows,
  }
}

export function messagesQuery(conversationId: string) {
  return pagedQuery(messages(conversationId))
}

export function newestMessagesQuery(conversationId: string) {
  return newestQuery(messages(conversationId))
}
