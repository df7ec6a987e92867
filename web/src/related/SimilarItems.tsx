import { useQuery } from '@tanstack/react-query'
import { similarQuery } from '../api/queries/queries.ts'
import { RelatedListings } from './RelatedListings.tsx'

/** Listings of the same category that share words of the title. */
export function SimilarItems({ id }: { id: string }) {
  const { data: listings = [] } = useQuery(similarQuery(id))
  return <RelatedListings heading="Similar items" listings={listings} />
}
