import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/http.ts'

function isWorthRetrying(failures: number, error: Error): boolean {
  const isRefusal = error instanceof ApiError && error.status < 500
  return !isRefusal && failures < 1
}

function logFailure(error: Error, meta: Record<string, unknown> | undefined) {
  console.error(meta?.['failure'] ?? 'Failed to reach the server:', error)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: isWorthRetrying, retryDelay: 600 },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: (error, query) => logFailure(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => logFailure(error, mutation.meta),
  }),
})
