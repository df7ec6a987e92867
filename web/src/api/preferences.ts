import { queryOptions } from '@tanstack/react-query'
import { askAgain } from './ask-again.ts'
import { answer, api } from './client.ts'
import { privateKey } from './queries.ts'
import type { Preferences } from './types.ts'

export const preferencesQuery = queryOptions({
  queryKey: [privateKey, 'preferences'],
  queryFn: () => answer(api.GET('/api/users/notification-preferences')),
  refetchInterval: askAgain,
  meta: { failure: 'Failed to load preferences:' },
})

export function savePreferences(preferences: Preferences): Promise<Preferences> {
  return answer(api.POST('/api/users/notification-preferences', { body: preferences }))
}
