import { useEffect, useRef } from 'react'
import type { PagedList } from '../../api/queries/paged.ts'
import { BusyButton } from '../inputs/BusyButton.tsx'
import { VisuallyHidden } from '../controls/VisuallyHidden.tsx'
import classes from './ListFooter.module.css'

const preloadMargin = '600px'

/**
 * Number of pages that are loaded automatically. After that, the user must press the button to load more. Otherwise,
 * content below an endless list could never be reached.
 */
const maxAutomaticPages = 5

/** The part of `useInfiniteQuery`'s result that the footer needs. */
interface LoadedList {
  data: Pick<PagedList<unknown>, 'pageCount' | 'lastPageSize'> | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** Returns a ref for an element. Calls `onSeen` shortly before the user scrolls to that element. */
function useAutomaticLoad(isEnabled: boolean, onSeen: () => unknown) {
  const marker = useRef<HTMLDivElement>(null)
  const load = useRef(onSeen)
  useEffect(() => {
    load.current = onSeen
  })
  useEffect(() => {
    if (!isEnabled || marker.current === null) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && load.current(), {
      rootMargin: preloadMargin,
    })
    observer.observe(marker.current)
    return () => observer.disconnect()
  }, [isEnabled])
  return marker
}

/**
 * Loads the next page of a list when the user scrolls to its end or presses the button. Screen readers announce that the
 * page was loaded.
 */
export function ListFooter({ list, label = 'Load more' }: { list: LoadedList; label?: string }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const { pageCount = 0, lastPageSize = 0 } = list.data ?? {}
  const isAutomatic = !isFetchingNextPage && !isFetchNextPageError && pageCount < maxAutomaticPages
  const marker = useAutomaticLoad(hasNextPage && isAutomatic, fetchNextPage)
  return (
    <div ref={marker} className={hasNextPage ? classes.more : undefined}>
      {hasNextPage && (
        <BusyButton variant="default" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {label}
        </BusyButton>
      )}
      <VisuallyHidden component="output">
        {/* The key makes React replace the element for each page, so that screen readers announce the text even if it
            has not changed. */}
        {pageCount > 1 && <span key={pageCount}>{lastPageSize} more loaded</span>}
      </VisuallyHidden>
    </div>
  )
}
