import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { answer, api } from '../../api/client.ts'
import { sendOnce } from '../../api/send-once.ts'
import { listingQuery, myListingsQuery } from '../../api/queries.ts'
import type { NewListing } from '../../api/types.ts'
import { useSingleMutation } from '../../api/use-single-mutation.ts'

export function useCreateListing(onCreated: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (listing: NewListing) =>
      sendOnce('/api/listings', listing, (body, headers) => answer(api.POST('/api/listings', { body, headers }))),
    onSuccess: async (listing) => {
      onCreated()
      queryClient.setQueryData(listingQuery(listing.id).queryKey, listing)
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void queryClient.invalidateQueries({ queryKey: myListingsQuery.queryKey })
      await navigate(`/listing/${listing.id}`)
    },
    meta: { failure: 'Failed to create listing:' },
  })
}
