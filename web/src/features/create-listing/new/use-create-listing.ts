import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { responseBody, api } from '../../../api/client/client.ts'
import { withIdempotencyKey } from '../../../api/client/with-idempotency-key.ts'
import { draftsQuery } from '../../../api/queries/drafts.ts'
import { listingQuery, myListingsKey } from '../../../api/queries/queries.ts'
import type { NewListing } from '../../../api/client/types.ts'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'

export function useCreateListing(onCreated: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (listing: NewListing) =>
      withIdempotencyKey('/api/listings', listing, (body, headers) =>
        responseBody(api.POST('/api/listings', { body, headers })),
      ),
    onSuccess: async (listing) => {
      onCreated()
      queryClient.setQueryData(listingQuery(listing.id).queryKey, listing)
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void queryClient.invalidateQueries({ queryKey: myListingsKey })
      void queryClient.invalidateQueries({ queryKey: draftsQuery.queryKey })
      await navigate(`/listing/${listing.id}`)
    },
    meta: { failure: 'Failed to create listing:' },
  })
}
