import { queryOptions } from '@tanstack/react-query'
import { responseBody, api } from '../client/client.ts'
import { ApiError } from '../client/http.ts'
import { privateQueryKey } from './queries.ts'

// An account has at most 100 sessions, so one page contains all of them.
const query = { limit: 100 }

export const sessionsQuery = queryOptions({
  queryKey: [privateQueryKey, 'sessions'],
  queryFn: () => responseBody(api.GET('/api/users/me/sessions', { params: { query } })),
  meta: { failure: 'Failed to load sessions:' },
})

/** Ends one of the user's sessions. Succeeds also if the session has already ended. */
export async function endSession(id: string): Promise<void> {
  try {
    await api.DELETE('/api/users/me/sessions/{id}', { params: { path: { id } } })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}

export async function endOtherSessions(): Promise<void> {
  await responseBody(api.POST('/api/users/me/sessions/end-others'))
}
