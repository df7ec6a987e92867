import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recentlyViewedQuery } from '../api/queries/members.ts'
import { readViewedIds } from '../session/recently-viewed.ts'
import { RelatedListings } from './RelatedListings.tsx'

/** The active listings that were last viewed in this browser, the latest first, without the one that is shown. */
export function RecentlyViewed({ shownId }: { shownId?: string }) {
  const [ids] = useState(() => readViewedIds().filter((id) => id !== shownId))
  const { data = [] } = useQuery({ ...recentlyViewedQuery(ids), enabled: ids.length > 0 })
  return <RelatedListings heading="Recently viewed" listings={data} />
}
