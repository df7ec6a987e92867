import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { offersQuery, type OfferDirection } from '../../api/queries/offers.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { sideOf } from '../../offers/offer-actions.ts'
import { OfferRow } from '../../offers/OfferRow.tsx'
import { useAuth } from '../../session/use-auth.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { LinkTabs } from '../../ui/page/LinkTabs.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { useUnpaidListings } from './use-unpaid-listings.ts'
import classes from './OffersPage.module.css'

const directions = {
  received: {
    to: '/offers',
    text: 'Received',
    empty: 'No offers received yet',
    hint: 'Offers that you receive will appear here.',
    link: { to: '/create-listing', text: 'Sell an item' },
  },
  made: {
    to: '/offers?tab=made',
    text: 'Made',
    empty: 'No offers made yet',
    hint: 'Offers that you make will appear here.',
    link: { to: '/', text: 'Browse listings' },
  },
} satisfies Record<OfferDirection, unknown>

function LoadingRows() {
  return (
    <div className={classes.loading}>
      <Skeleton />
      <Skeleton />
    </div>
  )
}

function NoOffers({ direction }: { direction: OfferDirection }) {
  const { empty, hint, link } = directions[direction]
  return (
    <EmptyState icon="tag" heading={<h2>{empty}</h2>}>
      <p>{hint}</p>
      <ButtonLink to={link.to}>{link.text}</ButtonLink>
    </EmptyState>
  )
}

function Offers({ direction, userId }: { direction: OfferDirection; userId: string }) {
  const [failure, setFailure] = useState<string | null>(null)
  const list = useInfiniteQuery(offersQuery(direction))
  // Filters the offers, because the previous version of the catalog service sends received and made offers together.
  const offers = (list.data?.items ?? []).filter(
    (offer) => (offer.made_by === sideOf(offer, userId)) === (direction === 'made'),
  )
  const unpaid = useUnpaidListings(offers.some((offer) => offer.status === 'accepted' && offer.buyer_id === userId))
  if (isFirstLoad(list)) return <LoadingRows />
  return (
    <section aria-label="Offers">
      <Alert message={failure} onDismiss={() => setFailure(null)} />
      {offers.length === 0 && <NoOffers direction={direction} />}
      <ul className={classes.rows}>
        {offers.map((offer) => (
          <li key={offer.id}>
            <OfferRow
              offer={offer}
              userId={userId}
              isUnpaid={unpaid.has(offer.listing_id)}
              setFailure={setFailure}
              withListing
            />
          </li>
        ))}
      </ul>
      <ListFooter list={list} />
    </section>
  )
}

export function OffersPage() {
  usePageHead('Offers | Marketplace')
  const { user } = useAuth()
  const [params] = useSearchParams()
  const direction = params.get('tab') === 'made' ? 'made' : 'received'
  return (
    <>
      <PageHeading>Offers</PageHeading>
      <LinkTabs
        label="Offers by direction"
        tabs={(['received', 'made'] as const).map((tab) => ({
          to: directions[tab].to,
          text: directions[tab].text,
          isCurrent: tab === direction,
        }))}
      />
      {user !== null && <Offers key={direction} direction={direction} userId={user.id} />}
    </>
  )
}
