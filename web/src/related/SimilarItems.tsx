import { useQuery } from '@tanstack/react-query'
import { similarQuery } from '../api/queries/queries.ts'
import { RelatedListings } from './RelatedListings.tsx'

/** Listings in the same category whose titles share words with the listing's title. */
export function SimilarItems({ id }: { id: string }) {
  const { data: listings = [] } = useQuery(similarQuery(id))
  return <RelatedListings heading="Similar items" listings={listings} />
}
