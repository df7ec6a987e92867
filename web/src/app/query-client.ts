import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { ApiError } from '../api/client/http.ts'
import { logFailure } from '../api/client/log-failure.ts'
import { isLasting, retryInterval } from '../api/queries/retry-interval.ts'
import { takeInitialData } from '../api/hydration/take-initial-data.ts'

function shouldRetry(failures: number, error: Error): boolean {
  const isClientError = error instanceof ApiError && error.status < 500
  return !isClientError && failures < 1
}

function log(error: Error, meta: Record<string, unknown> | undefined) {
  const failure = meta?.['failure']
  logFailure(typeof failure === 'string' ? failure : 'Failed to reach the server:', error)
}

/**
 * Resets `errorUpdateCount`, so that retryInterval starts with the shortest delay again. TanStack Query never resets
 * this count.
 */
function clearFailures(query: Query<unknown, unknown, unknown>) {
  if (query.state.errorUpdateCount > 0) query.setState({ errorUpdateCount: 0 })
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: shouldRetry, retryDelay: 600, refetchInterval: retryInterval },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({
    onError: (error, query) => {
      log(error, query.meta)
      if (isLasting(error)) clearFailures(query)
    },
    onSuccess: (_data, query) => clearFailures(query),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => log(error, mutation.meta),
  }),
})

// Time, in ms, at which the server requested the initial data, or null if there is no usable initial data.
// `takeInitialData` also fills the cache, so it must run before any query starts to fetch.
export const renderedAt = takeInitialData(queryClient)
