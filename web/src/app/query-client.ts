import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/http.ts'
import { logFailure } from '../api/log-failure.ts'
import { takeFirstAnswer } from './take-first-answer.ts'

function isWorthRetrying(failures: number, error: Error): boolean {
  const isRefusal = error instanceof ApiError && error.status < 500
  return !isRefusal && failures < 1
}

function log(error: Error, meta: Record<string, unknown> | undefined) {
  const failure = meta?.['failure']
  logFailure(typeof failure === 'string' ? failure : 'Failed to reach the server:', error)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: isWorthRetrying, retryDelay: 600 },
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: (error, query) => log(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => log(error, mutation.meta),
  }),
})

// Here and not in main.tsx: the router starts to fetch as soon as its module is read.
export const drawnAt = takeFirstAnswer(queryClient)
