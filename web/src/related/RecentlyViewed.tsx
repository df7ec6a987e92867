import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recentlyViewedQuery } from '../api/queries/members.ts'
import { readViewedIds } from '../session/recently-viewed.ts'
import { useAuth } from '../session/use-auth.ts'
import { RelatedListings } from './RelatedListings.tsx'

interface Props {
  /** Id of the listing that the page shows. */
  shownId?: string
}

function ViewedListings({ shownId }: Props) {
  const [ids] = useState(() => readViewedIds().filter((id) => id !== shownId))
  const { data = [] } = useQuery({ ...recentlyViewedQuery(ids), enabled: ids.length > 0 })
  return <RelatedListings heading="Recently viewed" listings={data} />
}

/** The active listings that were viewed in this browser, most recent first, without the listing that the page shows. */
export function RecentlyViewed(props: Props) {
  const { user } = useAuth()
  // The key remounts the component when the user signs out, because signing out clears the stored ids.
  return <ViewedListings key={user?.id ?? 'visitor'} {...props} />
}
