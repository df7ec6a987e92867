import { useEffect, useRef } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import classes from './Results.module.css'

const aheadOfTheEnd = '600px'

type Props = { isBusy: boolean; isAutomatic: boolean; onMore: () => void }

/** Loads more shortly before one scrolls to the end, and by a button for the keyboard. */
export function LoadMore({ isBusy, isAutomatic, onMore }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const more = useRef(onMore)
  useEffect(() => {
    more.current = onMore
  })
  useEffect(() => {
    if (!isAutomatic || isBusy || place.current === null) return undefined
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && more.current(), {
      rootMargin: aheadOfTheEnd,
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isAutomatic, isBusy])
  return (
    <div ref={place} className={classes.more}>
      <BusyButton variant="default" isBusy={isBusy} onClick={onMore}>
        Load more
      </BusyButton>
    </div>
  )
}
