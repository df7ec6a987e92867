import { queryOptions } from '@tanstack/react-query'
import { api, responseBody } from '../client/client.ts'
import type { BlockedMember, CardListing } from '../client/types.ts'
import { fetchPage, pagedQuery } from './paged.ts'
import { privateQueryKey } from './queries.ts'

export function profileQuery(id: string) {
  return queryOptions({
    queryKey: ['profile', id],
    queryFn: () => responseBody(api.GET('/api/users/{id}/profile', { params: { path: { id } } })),
    meta: { failure: 'Failed to load profile:' },
  })
}

export function replyTimeQuery(id: string) {
  return queryOptions({
    queryKey: ['reply-time', id],
    queryFn: () => responseBody(api.GET('/api/users/{id}/reply-time', { params: { path: { id } } })),
    meta: { failure: 'Failed to load reply time:' },
  })
}

/** The active listings of a seller, newest first. */
export function sellerListingsQuery(id: string) {
  return pagedQuery({
    queryKey: ['seller-listings', id],
    load: (query) => fetchPage<CardListing>('/api/listings', { ...query, seller: id, fields: 'card', sort: 'newest' }),
    failure: 'Failed to load listings:',
  })
}

/** Returns the active listings with the given ids, in the order of the ids. */
export function recentlyViewedQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['recently-viewed', ids],
    queryFn: async () => {
      const { items } = await fetchPage<CardListing>('/api/listings', { ids: ids.join(), fields: 'card' })
      return ids.flatMap((id) => items.find((listing) => listing.id === id) ?? [])
    },
    meta: { failure: 'Failed to load recently viewed listings:' },
  })
}

/** The members whom the user has blocked, newest first. */
export const blockedMembersQuery = pagedQuery({
  queryKey: [privateQueryKey, 'blocks'],
  load: (query) => fetchPage<BlockedMember>('/api/blocks', query),
  failure: 'Failed to load blocked members:',
})

export async function blockMember(userId: string): Promise<void> {
  await responseBody(api.POST('/api/blocks', { body: { user_id: userId } }))
}

export async function unblockMember(id: string): Promise<void> {
  await responseBody(api.DELETE('/api/blocks/{id}', { params: { path: { id } } }))
}
