import { useEffect, useRef } from 'react'
import { BusyButton } from '../../../ui/inputs/BusyButton.tsx'
import classes from './Results.module.css'

const preloadMargin = '600px'

interface Props {
  isBusy: boolean
  isAutomatic: boolean
  onMore: () => void
}

/** Loads the next page shortly before the user scrolls to the end, or by a button for keyboard users. */
export function LoadMore({ isBusy, isAutomatic, onMore }: Props) {
  const marker = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  })
  useEffect(() => {
    if (!isAutomatic || isBusy || marker.current === null) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && more.current(), {
      rootMargin: preloadMargin,
    })
    observer.observe(marker.current)
    return () => observer.disconnect()
  }, [isAutomatic, isBusy])
  return (
    <div ref={marker} className={classes.more}>
      <BusyButton variant="default" isBusy={isBusy} onClick={onMore}>
        Load more
      </BusyButton>
    </div>
  )
}
