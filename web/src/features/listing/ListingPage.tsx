import { useState } from 'react'
import { useParams } from 'react-router-dom'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { VisuallyHidden } from '../../ui/controls/VisuallyHidden.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { BackLink } from './BackLink.tsx'
import { ListingView } from './ListingView.tsx'
import { useDeferredRefetch } from './use-deferred-refetch.ts'
import { useListing } from './use-listing.ts'
import { useStoredEnd } from './use-stored-end.ts'
import { useLiveAuction } from './bidding/use-live-auction.ts'
import classes from './ListingPage.module.css'

function ListingSkeleton() {
  return (
    <>
      <VisuallyHidden component="h1">Loading the listing</VisuallyHidden>
      <BackLink />
      <div className={classes.layout}>
        <Skeleton className={classes.skeletonPicture} />
        <div className={classes.skeletonText}>
          <Skeleton height={28} width="85%" />
          <Skeleton height={16} width="50%" />
          <Skeleton height={44} width="40%" />
          <Skeleton height={52} />
          <Skeleton height={90} />
        </div>
      </div>
    </>
  )
}

function ListingNotFound() {
  usePageHead('Listing not found | Marketplace')
  return (
    <EmptyState icon="box" heading={<PageHeading>Listing not found</PageHeading>}>
      <p>This listing may have been removed or doesn't exist.</p>
      <ButtonLink to="/">Back to Marketplace</ButtonLink>
    </EmptyState>
  )
}

export function ListingPage() {
  const { id = '' } = useParams()
  const [isLive, setIsLive] = useState(false)
  const listing = useListing(id, isLive)
  useLiveAuction(listing.data, setIsLive)
  useDeferredRefetch(id)
  useStoredEnd(listing.data)
  if (isFirstLoad(listing)) return <ListingSkeleton />
  if (listing.data === undefined) return <ListingNotFound />
  return <ListingView key={id} listing={listing.data} />
}
