import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isFirstLoad } from '../../api/queries/retry-interval.ts'
import { watchlistQuery } from '../../api/queries/watchlist.ts'
import type { CardListing } from '../../api/client/types.ts'
import { Button, ButtonLink } from '../../ui/controls/Button.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { VisuallyHidden } from '../../ui/controls/VisuallyHidden.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListingCard } from '../../ui/listing/ListingCard.tsx'
import { ListingGrid, ListingGridSkeleton } from '../../ui/listing/ListingGrid.tsx'
import { ListFooter } from '../../ui/page/ListFooter.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { StatusBadge } from '../../ui/feedback/StatusBadge.tsx'
import { useFocusHeading } from '../../ui/hooks/use-restore-focus.ts'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { useLayout, ViewToggle } from '../../ui/listing/ViewToggle.tsx'
import { CardWatchToggle } from '../../watchlist/CardWatchToggle.tsx'
import { filterByTerm } from './filter-by-term.ts'
import classes from './WatchlistPage.module.css'

const typingPauseMs = 200
const maxTermLength = 200

function NoFavorites() {
  return (
    <EmptyState icon="heart" heading={<h2>Your favorites list is empty</h2>}>
      <p>Tap ♡ on a listing to save it here.</p>
      <ButtonLink to="/">Browse listings</ButtonLink>
    </EmptyState>
  )
}

function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon="search" heading={<h2>No items found</h2>}>
      <p>No favorites match your search.</p>
      <Button variant="default" onClick={onClear}>
        Clear search
      </Button>
    </EmptyState>
  )
}

function FavoriteCard({ listing }: { listing: CardListing }) {
  useFocusHeading()
  const [layout] = useLayout()
  const badge = listing.is_active ? undefined : <StatusBadge tone="quiet">Unavailable</StatusBadge>
  return <ListingCard listing={listing} layout={layout} badge={badge} corner={<CardWatchToggle listing={listing} />} />
}

function FavoriteList({ listings }: { listings: CardListing[] }) {
  const [layout] = useLayout()
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

/**
 * Returns the favorites that match the term. The previous version of the catalog service ignores the term and sends no
 * total, so its response is filtered here.
 */
function useFavorites(term: string) {
  const list = useInfiniteQuery({ ...watchlistQuery(term), placeholderData: keepPreviousData })
  const { items = [], total = null } = list.data ?? {}
  const listings = total === null ? filterByTerm(items, term) : items
  return { list, listings, total: total ?? String(listings.length) }
}

function Favorites({ term, onClear }: { term: string; onClear: () => void }) {
  const { list, listings } = useFavorites(term)
  const all = useFavorites('')
  const [layout] = useLayout()
  if (isFirstLoad(list)) return <ListingGridSkeleton layout={layout} />
  const hasNone = term === '' || (all.list.isSuccess && all.total === '0')
  if (listings.length === 0) return hasNone ? <NoFavorites /> : <NoMatches onClear={onClear} />
  return (
    <>
      <FavoriteList listings={listings} />
      <ListFooter list={list} />
    </>
  )
}

function ItemCount({ term }: { term: string }) {
  const { list, total } = useFavorites(term)
  return (
    <output className={classes.count}>{!isFirstLoad(list) && `${total} ${total === '1' ? 'item' : 'items'}`}</output>
  )
}

export function WatchlistPage() {
  usePageHead('My Favorites | Marketplace')
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [term] = useDebouncedValue(Array.from(typed.trim()).slice(0, maxTermLength).join(''), typingPauseMs)
  function clear() {
    setTyped('')
    field.current?.focus()
  }

  return (
    <>
      <PageHeading className={classes.heading}>My Favorites</PageHeading>
      <div className={classes.toolbar}>
        <TextInput
          ref={field}
          className={classes.search}
          type="search"
          aria-label="Search your favorites"
          placeholder="Search your favorites"
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <ItemCount term={term} />
        <ViewToggle />
      </div>
      <Favorites term={term} onClear={clear} />
    </>
  )
}
