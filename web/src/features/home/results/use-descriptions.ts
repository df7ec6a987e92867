import { useEffect } from 'react'
import type { CardListing } from '../../../api/client/types.ts'

interface List {
  data?: { items: CardListing[] } | undefined
  refetch: () => Promise<unknown>
}

/** Refetches the listings if descriptions are shown but missing. The home page's initial data has no descriptions. */
export function useDescriptions({ data, refetch }: List, areShown: boolean): void {
  const isMissing = areShown && data?.items.some(({ description }) => description === '') === true
  useEffect(() => {
    if (isMissing) void refetch()
  }, [isMissing, refetch])
}
