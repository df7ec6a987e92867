import { queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { privateQueryKey } from './queries.ts'
import type { Preferences } from '../client/types.ts'

export const preferencesQuery = queryOptions({
  queryKey: [privateQueryKey, 'preferences'],
  queryFn: () => responseBody(api.GET('/api/users/notification-preferences')),
  meta: { failure: 'Failed to load preferences:' },
})

export function savePreferences(preferences: Preferences): Promise<Preferences> {
  return responseBody(api.POST('/api/users/notification-preferences', { body: preferences }))
}
