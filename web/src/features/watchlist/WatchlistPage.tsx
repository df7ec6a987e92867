import { Button, TextInput, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { watchlistQuery } from '../../api/watchlist.ts'
import type { Listing } from '../../api/types.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListingCard } from '../../ui/ListingCard.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../ui/ListingGrid.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useFocusHeading } from '../../ui/use-focus-back.ts'
import { usePageHead } from '../../ui/use-page-head.ts'
import { useLayout, ViewToggle } from '../../ui/ViewToggle.tsx'
import { CardHeart } from '../../watching/CardHeart.tsx'
import { matching } from './matching.ts'
import classes from './WatchlistPage.module.css'

function NothingWatched() {
  return (
    <EmptyState drawing="heart" heading={<h2>Your favorites list is empty</h2>}>
      <p>Tap the heart on anything you like, and it waits for you here.</p>
      <Button component={Link} to="/">
        Browse listings
      </Button>
    </EmptyState>
  )
}

function NothingMatches() {
  return (
    <EmptyState drawing="search" heading={<h2>No items found</h2>}>
      <p>None of your favorites has that in its title or description.</p>
    </EmptyState>
  )
}

function FavoriteCard({ listing }: { listing: Listing }) {
  const [layout] = useLayout()
  const badge = listing.is_active ? undefined : <StatusBadge tone="quiet">No longer for sale</StatusBadge>
  return <ListingCard listing={listing} layout={layout} badge={badge} corner={<CardHeart listing={listing} />} />
}

function Favorites({ listings }: { listings: Listing[] }) {
  useFocusHeading()
  const [term, setTerm] = useState('')
  const [layout] = useLayout()
  const found = matching(listings, term)
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
      {found.length === 0 && <NothingMatches />}
      {found.length > 0 && <VisuallyHidden component="h2">Favorites</VisuallyHidden>}
      <ListingGrid layout={layout}>
        {found.map((listing) => (
          <li key={listing.id}>
            <FavoriteCard listing={listing} />
          </li>
        ))}
      </ListingGrid>
    </>
  )
}

export function WatchlistPage() {
  usePageHead('My Favorites | Marketplace')
  const { data: listings = [], isPending } = useQuery(watchlistQuery)
  const [layout] = useLayout()
  return (
    <>
      <PageHeading className={classes.heading}>My Favorites</PageHeading>
      {isPending && <ListingGridSkeleton layout={layout} />}
      {!isPending && listings.length === 0 && <NothingWatched />}
      {listings.length > 0 && <Favorites listings={listings} />}
    </>
  )
}
