import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { postJson } from '../../api/http.ts'
import { listingQuery, myListingsQuery } from '../../api/queries.ts'
import type { ListingDetail, NewListing } from '../../api/types.ts'

export function useCreateListing() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (listing: NewListing) => postJson<ListingDetail>('/api/listings', listing),
    onSuccess: async (listing) => {
      queryClient.setQueryData(listingQuery(listing.id).queryKey, listing)
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void queryClient.invalidateQueries({ queryKey: myListingsQuery.queryKey })
      await navigate(`/listing/${listing.id}`)
    },
    meta: { failure: 'Failed to create listing:' },
  })
}
