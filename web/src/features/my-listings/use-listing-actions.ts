import { useQueryClient } from '@tanstack/react-query'
import { api, responseBody } from '../../api/client/client.ts'
import { useSingleMutation } from '../../api/client/use-single-mutation.ts'
import { listingQuery, myListingsKey } from '../../api/queries/queries.ts'

const calls = {
  end: (id: string) => responseBody(api.POST('/api/listings/{id}/end', { params: { path: { id } } })),
  relist: (id: string) => responseBody(api.POST('/api/listings/{id}/relist', { params: { path: { id } }, body: {} })),
}

/** Ends or relists a listing, then refetches the listing and all lists that may contain it. */
export function useListingAction(action: keyof typeof calls, onDone: () => void) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: calls[action],
    onSuccess: async (_listing, id) => {
      onDone()
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void queryClient.invalidateQueries({ queryKey: listingQuery(id).queryKey })
      await queryClient.invalidateQueries({ queryKey: myListingsKey })
    },
    meta: { failure: `Failed to ${action} listing:` },
  })
}
