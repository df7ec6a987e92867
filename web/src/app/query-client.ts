import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/client/http.ts'
import { logFailure } from '../api/client/log-failure.ts'
import { takeInitialData } from '../api/hydration/take-initial-data.ts'

function shouldRetry(failures: number, error: Error): boolean {
  const isClientError = error instanceof ApiError && error.status < 500
  return !isClientError && failures < 1
}

function log(error: Error, meta: Record<string, unknown> | undefined) {
  const failure = meta?.['failure']
  logFailure(typeof failure === 'string' ? failure : 'Failed to reach the server:', error)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: shouldRetry, retryDelay: 600 },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: (error, query) => log(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => log(error, mutation.meta),
  }),
})

// takeInitialData is called here instead of in main.tsx, because the initial data must be in the cache before the first
// fetch starts.
export const renderedAt = takeInitialData(queryClient)
