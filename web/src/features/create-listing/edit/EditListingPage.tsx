import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import type { ListingDetail } from '../../../api/client/types.ts'
import { listingQuery } from '../../../api/queries/queries.ts'
import { isLasting } from '../../../api/queries/retry-interval.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { ButtonLink } from '../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../ui/controls/Skeleton.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { usePageHead } from '../../../ui/hooks/use-page-head.ts'
import { PageHeading } from '../../../ui/page/PageHeading.tsx'
import { EditForm } from './EditForm.tsx'
import classes from '../CreateListingPage.module.css'

const obstacles = {
  reserved: 'A buyer is paying for this item. You can edit the listing when the item is available again.',
  sold: 'This item has been sold.',
  ended: 'This listing has ended. Relist it first.',
}

/** Returns the reason why a listing cannot be edited, or null if it can. */
function obstacleOf(listing: ListingDetail, userId: string | undefined): string | null {
  if (listing.user_id !== userId) return 'Only the seller can edit this listing.'
  if (listing.is_auction) return "An auction can't be edited."
  return listing.status === 'active' ? null : obstacles[listing.status]
}

function NotEditable({ to, children }: { to: string; children: string }) {
  return (
    <EmptyState icon="box" heading={<h2>This listing can't be edited</h2>}>
      <p>{children}</p>
      <ButtonLink to={to}>Back</ButtonLink>
    </EmptyState>
  )
}

export function EditListingPage() {
  const { id = '' } = useParams()
  const { user } = useAuth()
  usePageHead('Edit listing | Marketplace')
  // Refetches the listing when the page opens, because the cached listing may be outdated.
  const { data: listing, isFetchedAfterMount, error } = useQuery({ ...listingQuery(id), refetchOnMount: 'always' })
  // Without a cached listing, the page keeps loading after a transient error, because the fetch is retried.
  const isLoading = listing === undefined ? !isLasting(error) : !isFetchedAfterMount
  return (
    <>
      <PageHeading>Edit listing</PageHeading>
      {isLoading ? (
        <Skeleton height={480} className={classes.edit} />
      ) : (
        <Content key={id} listing={listing} userId={user?.id} />
      )}
    </>
  )
}

function Content({ listing, userId }: { listing: ListingDetail | undefined; userId: string | undefined }) {
  if (listing === undefined) {
    return <NotEditable to="/my-listings">This listing may have been removed or doesn't exist.</NotEditable>
  }
  const obstacle = obstacleOf(listing, userId)
  if (obstacle !== null) return <NotEditable to={`/listing/${listing.id}`}>{obstacle}</NotEditable>
  return (
    <div className={classes.edit}>
      <EditForm listing={listing} />
    </div>
  )
}
