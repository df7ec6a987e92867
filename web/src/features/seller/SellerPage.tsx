import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import { ApiError } from '../../api/client/http.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { profileQuery, replyTimeQuery, sellerListingsQuery } from '../../api/queries/members.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { VisuallyHidden } from '../../ui/controls/VisuallyHidden.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { memberLines } from './member-lines.ts'
import { SellerHead } from './SellerHead.tsx'
import { SellerListings } from './SellerListings.tsx'

function MemberNotFound() {
  return (
    <EmptyState icon="user" heading={<PageHeading>Member not found</PageHeading>}>
      <p>This member may have left Marketplace.</p>
      <ButtonLink to="/">Back to Marketplace</ButtonLink>
    </EmptyState>
  )
}

function SellerSkeleton() {
  return (
    <>
      <VisuallyHidden component="h1">Loading the member</VisuallyHidden>
      <Skeleton height={96} />
    </>
  )
}

/**
 * A member's public page. Each fact comes from a different service and is omitted while that service is unavailable.
 */
function Seller({ id }: { id: string }) {
  const profile = useQuery(profileQuery(id))
  const replyTime = useQuery(replyTimeQuery(id))
  const listings = useInfiniteQuery(sellerListingsQuery(id))
  usePageHead(`${profile.data?.name ?? 'Member'} | Marketplace`)
  const isMissing = profile.error instanceof ApiError && profile.error.status === 404
  if (isMissing) return <MemberNotFound />
  if (isFirstLoad(profile)) return <SellerSkeleton />
  const lines = memberLines({
    profile: profile.data,
    replyTime: replyTime.data?.reply_time,
    listingCount: listings.data?.total,
  })
  return (
    <>
      <SellerHead id={id} profile={profile.data} lines={lines} />
      <SellerListings id={id} />
    </>
  )
}

export function SellerPage() {
  const { id = '' } = useParams()
  return <Seller key={id} id={id} />
}
