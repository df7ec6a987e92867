import { useQuery } from '@tanstack/react-query'
import { listingQuery } from '../../../api/queries/queries.ts'
import { isLasting } from '../../../api/queries/retry-interval.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { ButtonLink } from '../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../ui/controls/Skeleton.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { toSimilar } from './to-similar.ts'
import { SellForm } from './SellForm.tsx'

/** The form for a new listing, filled with the terms and pictures of one of the user's listings. */
export function SimilarListing({ id }: { id: string }) {
  const { user } = useAuth()
  const { data: listing, error } = useQuery({ ...listingQuery(id), enabled: user !== null })
  if (user === null || (listing === undefined && !isLasting(error))) return <Skeleton height={480} />
  if (listing?.user_id !== user.id) {
    return (
      <EmptyState icon="box" heading={<h2>We can't find that listing</h2>}>
        <p>You can only copy your own listings.</p>
        <ButtonLink to="/my-listings">Show all listings</ButtonLink>
      </EmptyState>
    )
  }
  return <SellForm name={`listing:similar:${id}`} initial={toSimilar(listing)} />
}
