import { queryOptions } from '@tanstack/react-query'
import { fetchPage, newestQuery, pagedQuery } from './paged.ts'
import { privateQueryKey } from './queries.ts'
import { retryInterval } from './retry-interval.ts'
import type { Transaction } from '../client/types.ts'

const path = '/api/transactions'

const transactions = {
  queryKey: [privateQueryKey, 'transactions'],
  load: (query: Record<string, string>) => fetchPage<Transaction>(path, query),
  failure: 'Failed to load transactions:',
  // Transactions are polled, because a won auction or an accepted offer creates a transaction with a short delay.
  pollMs: 4_000,
}

export const transactionsQuery = pagedQuery(transactions)
export const newestTransactionsQuery = newestQuery(transactions)

const maxListingPolls = 15

/** The user's newest transactions for one listing, polled for at most a minute until a transaction awaits payment. */
export function listingTransactionsQuery(listingId: string) {
  return queryOptions({
    queryKey: [privateQueryKey, 'listing-transactions', listingId],
    queryFn: async () => (await fetchPage<Transaction>(path, { listing_id: listingId })).items,
    refetchInterval: (query) => {
      const { data = [], dataUpdateCount } = query.state
      const isExpected = dataUpdateCount < maxListingPolls && data.every(({ pay_by: payBy }) => payBy === null)
      return retryInterval(query) || (isExpected ? transactions.pollMs : false)
    },
    meta: { failure: transactions.failure },
  })
}
