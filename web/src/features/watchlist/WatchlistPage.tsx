import { Button, TextInput, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { watchlistQuery } from '../../api/queries/watchlist.ts'
import type { Listing } from '../../api/client/types.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../ui/listing/ListingGrid.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx'
import { useFocusHeading } from '../../ui/hooks/use-restore-focus.ts'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { useLayout, ViewToggle } from '../../ui/listing/ViewToggle.tsx'
import { CardWatchToggle } from '../../watchlist/CardWatchToggle.tsx'
import { filterByTerm } from './filter-by-term.ts'
import classes from './WatchlistPage.module.css'

function NoFavorites() {
  return (
    <EmptyState icon="heart" heading={<h2>Your favorites list is empty</h2>}>
      <p>Tap ♡ on anything you like to save it here.</p>
      <Button component={Link} to="/">
        Browse listings
      </Button>
    </EmptyState>
  )
}

function NoMatches() {
  return (
    <EmptyState icon="search" heading={<h2>No items found</h2>}>
      <p>None of your favorites has that in its title or description.</p>
    </EmptyState>
  )
}

function FavoriteCard({ listing }: { listing: Listing }) {
  const [layout] = useLayout()
  const badge = listing.is_active ? undefined : <StatusBadge tone="quiet">No longer for sale</StatusBadge>
  return <ListingCard listing={listing} layout={layout} badge={badge} corner={<CardWatchToggle listing={listing} />} />
}

function FavoriteList({ listings }: { listings: Listing[] }) {
  useFocusHeading()
  const [layout] = useLayout()
  if (listings.length === 0) return <NoMatches />
  return (
    <>
      <VisuallyHidden component="h2">Favorites</VisuallyHidden>
      <ListingGrid layout={layout}>
        {listings.map((listing) => (
          <li key={listing.id}>
            <FavoriteCard listing={listing} />
          </li>
        ))}
      </ListingGrid>
    </>
  )
}

function Favorites({ listings }: { listings: Listing[] }) {
  const [term, setTerm] = useState('')
  const found = filterByTerm(listings, term)
  return (
    <>
      <div className={classes.toolbar}>
        <TextInput
          className={classes.search}
          type="search"
          aria-label="Search your favorites"
          placeholder="Search your favorites"
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={term}
          onChange={(event) => setTerm(event.currentTarget.value)}
        />
        <output className={classes.count}>
          {found.length} {found.length === 1 ? 'item' : 'items'}
        </output>
        <ViewToggle />
      </div>
      {listings.length === 0 ? <NoFavorites /> : <FavoriteList listings={found} />}
    </>
  )
}

export function WatchlistPage() {
  usePageHead('My Favorites | Marketplace')
  const { data, isPending } = useInfiniteQuery(watchlistQuery(''))
  const listings = data?.items ?? []
  const [layout] = useLayout()
  return (
    <>
      <PageHeading className={classes.heading}>My Favorites</PageHeading>
      {isPending && <ListingGridSkeleton layout={layout} />}
      {!isPending && <Favorites listings={listings} />}
    </>
  )
}
