import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { api, responseBody } from '../../../api/client/client.ts'
import type { ListingEdit } from '../../../api/client/types.ts'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'
import { listingQuery, myListingsKey } from '../../../api/queries/queries.ts'

export function useEditListing(id: string, onSaved: () => void) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (body: ListingEdit) =>
      responseBody(api.PATCH('/api/listings/{id}', { params: { path: { id } }, body })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: listingQuery(id).queryKey })
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void queryClient.invalidateQueries({ queryKey: myListingsKey })
      onSaved()
      await navigate(`/listing/${id}`)
    },
    meta: { failure: 'Failed to save listing:' },
  })
}
