import { IconEye, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useServerNow } from '../../api/clock/use-server-now.ts'
import { ownListingsQuery } from '../../api/queries/queries.ts'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import type { PagedList } from '../../api/queries/paged.ts'
import type { CardListing, ListingStatus } from '../../api/client/types.ts'
import { bidNames, shownBid } from '../../rules/listing.ts'
import { formatCents } from '../../rules/money.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import { Skeleton } from '../../ui/controls/Skeleton.tsx'
import { VisuallyHidden } from '../../ui/controls/VisuallyHidden.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../ui/listing/ListingGrid.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { DraftList } from './DraftList.tsx'
import { ListingActions } from './ListingActions.tsx'
import { readTab, StatusTabs, tabNames } from './StatusTabs.tsx'
import { countListings } from './count-listings.ts'
import classes from './MyListingsPage.module.css'

function Status({ listing }: { listing: CardListing }) {
  if (listing.status === 'reserved') return <StatusBadge tone="time">Reserved</StatusBadge>
  return listing.status === 'sold' && <span className={classes.sold}>Sold</span>
}

function MyCard({ listing }: { listing: CardListing }) {
  const now = useServerNow(60_000)
  const badge = (
    <span className={classes.overlay}>
      {listing.is_active ? (
        <StatusBadge tone="good">Active</StatusBadge>
      ) : (
        <StatusBadge tone="quiet">Inactive</StatusBadge>
      )}
      {listing.current_bid !== null && (
        <StatusBadge tone="time">
          {bidNames[shownBid(listing, now)]}: {formatCents(listing.current_bid)}
        </StatusBadge>
      )}
    </span>
  )
  const facts = (
    <>
      <Status listing={listing} />
      <span className={classes.views}>
        <IconEye size={14} aria-hidden="true" /> {listing.view_count} {listing.view_count === 1 ? 'view' : 'views'}
      </span>
    </>
  )
  return <ListingCard listing={listing} badge={badge} facts={facts} />
}

function Counts({ list }: { list: PagedList<CardListing> | undefined }) {
  const counts = countListings(list)
  return (
    <dl className={classes.counts}>
      {Object.entries(counts).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  )
}

function NoListings() {
  return (
    <EmptyState icon="box" heading={<h2>No listings yet</h2>}>
      <p>Have something you no longer need? List it in minutes.</p>
      <ButtonLink to="/create-listing">Create Your First Listing</ButtonLink>
    </EmptyState>
  )
}

function NoneOfStatus({ status }: { status: ListingStatus }) {
  return (
    <EmptyState icon="box" heading={<h2>No {tabNames[status].toLowerCase()} listings</h2>}>
      <ButtonLink to="/my-listings">Show all listings</ButtonLink>
    </EmptyState>
  )
}

interface ListingsProps {
  list: UseInfiniteQueryResult<PagedList<CardListing>>
  status: ListingStatus | null
  onDone: (message: string) => void
}

function Listings({ list, status, onDone }: ListingsProps) {
  const listings = list.data?.items ?? []
  if (isFirstLoad(list)) return <ListingGridSkeleton hasActions />
  return (
    <>
      {listings.length === 0 && (status === null ? <NoListings /> : <NoneOfStatus status={status} />)}
      {listings.length > 0 && <VisuallyHidden component="h2">Your listings</VisuallyHidden>}
      <ListingGrid>
        {listings.map((listing) => (
          <li key={listing.id} className={classes.item}>
            <MyCard listing={listing} />
            <ListingActions listing={listing} onDone={onDone} />
          </li>
        ))}
      </ListingGrid>
      <ListFooter list={list} />
    </>
  )
}

export function MyListingsPage() {
  usePageHead('My Listings | Marketplace')
  const [search] = useSearchParams()
  const tab = readTab(search.get('status'))
  const status = tab === 'drafts' ? null : tab
  const [message, setMessage] = useState<string | null>(null)
  const list = useInfiniteQuery(ownListingsQuery(status))
  const hasListings = list.data !== undefined && countListings(list.data).Total !== '0'
  return (
    <>
      <div className={classes.head}>
        <PageHeading>My Listings</PageHeading>
        {hasListings && (
          <ButtonLink to="/create-listing" leftSection={<IconPlus size={18} aria-hidden="true" />}>
            New listing
          </ButtonLink>
        )}
      </div>
      {isFirstLoad(list) ? <Skeleton className={classes.loadingCounts} /> : <Counts list={list.data} />}
      <StatusTabs current={tab} />
      <Alert isFloating tone="good" message={message} onDismiss={() => setMessage(null)} />
      <div className={classes.list}>
        {tab === 'drafts' ? (
          <DraftList onDone={setMessage} />
        ) : (
          <Listings list={list} status={status} onDone={setMessage} />
        )}
      </div>
    </>
  )
}
