import { useEffect } from 'react'
import type { CardListing } from '../../../api/client/types.ts'

interface List {
  data?: { items: CardListing[] } | undefined
  refetch: () => Promise<unknown>
}

/** Refetches listings without descriptions if descriptions are shown. The initial data of the home page has none. */
export function useDescriptions({ data, refetch }: List, areShown: boolean): void {
  const isMissing = areShown && data?.items.some(({ description }) => description === '') === true
  useEffect(() => {
    if (isMissing) void refetch()
  }, [isMissing, refetch])
}
