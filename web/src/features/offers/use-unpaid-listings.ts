import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { newestTransactionsQuery, transactionsQuery } from '../../api/queries/transactions.ts'

/**
 * Returns the ids of the listings that the user bought and still has to pay for. Reads only the newest transactions,
 * because a purchase that is not paid in time is cancelled.
 */
export function useUnpaidListings(isEnabled: boolean): Set<string> {
  const list = useInfiniteQuery({ ...transactionsQuery, enabled: isEnabled })
  useQuery({ ...newestTransactionsQuery, enabled: isEnabled && list.isSuccess })
  const unpaid = (list.data?.items ?? []).filter(({ pay_by: payBy }) => payBy !== null)
  return new Set(unpaid.map(({ listing_id: id }) => id))
}
